import type { Chain } from '../chain.ts';
import { receiver, slot, unknownHash } from '../scene.ts';
import { type Call, hashOf, previous } from './call.ts';

const noFilter = '0x99';

export const logCalls = (chain: Chain): Call[] => [
  ...filters(chain).map((filter): Call => ['eth_getLogs', filter]),
  ['eth_getLogs'],
  ['eth_getLogs', 'x'],
  ['eth_newFilter', { fromBlock: '0x0' }],
  ['eth_getFilterLogs', previous],
  ['eth_newFilter', { fromBlock: '0x0', toBlock: '0x5' }],
  ['eth_getFilterLogs', previous],
  ['eth_newFilter', { fromBlock: '0x5', toBlock: '0x2' }],
  ['eth_newFilter', {}],
  ['eth_getFilterChanges', previous],
  ['eth_newBlockFilter'],
  ['eth_getFilterChanges', previous],
  ['eth_newBlockFilter'],
  ['eth_getFilterLogs', previous],
  ['eth_newPendingTransactionFilter'],
  ['eth_getFilterChanges', previous],
  ['eth_newFilter', {}],
  ['eth_uninstallFilter', previous],
  ['eth_getFilterChanges', noFilter],
  ['eth_getFilterLogs', noFilter],
  ['eth_uninstallFilter', noFilter],
];

const filters = (chain: Chain): object[] => {
  const { contract, safe, finalized } = chain;
  const blockHash = hashOf(chain, 'storing');
  return [
    {},
    { fromBlock: null, toBlock: null, address: null, topics: null },
    { fromBlock: '', toBlock: '' },
    { fromBlock: '0x0' },
    { fromBlock: '0x0', toBlock: 'latest' },
    { toBlock: '0x2' },
    { fromBlock: '0x5', toBlock: '0x2' },
    { fromBlock: 'latest', toBlock: '0x2' },
    { fromBlock: '0x0', toBlock: '0xffffff' },
    { fromBlock: '0xfffff0', toBlock: '0xffffff' },
    { fromBlock: 'pending', toBlock: 'pending' },
    { fromBlock: 'pending' },
    { fromBlock: '0x0', toBlock: 'pending' },
    { fromBlock: safe, toBlock: finalized },
    { fromBlock: finalized, toBlock: safe },
    { fromBlock: finalized },
    { blockHash },
    { blockHash: unknownHash },
    { blockHash, fromBlock: '0x1' },
    { fromBlock: 'earliest', address: contract },
    { fromBlock: 'earliest', address: [contract, receiver] },
    { fromBlock: 'earliest', address: [] },
    { fromBlock: 'earliest', address: '0x12' },
    { fromBlock: 'earliest', topics: [] },
    { fromBlock: 'earliest', topics: [null] },
    { fromBlock: 'earliest', topics: [slot(7)] },
    { fromBlock: 'earliest', topics: [[slot(7), slot(9)]] },
    { fromBlock: 'earliest', topics: ['0x1'] },
    { fromBlock: 'earliest', topics: [null, null, null, null, null] },
  ];
};
