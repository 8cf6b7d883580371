import type { Chain } from '../chain.ts';
import { unknownHash } from '../scene.ts';
import { blockNames, type Call, hashOf } from './call.ts';

/** Blocks, their receipts and their raw forms. */
export function blockCalls(chain: Chain): Call[] {
  const { storing } = chain.numbers;
  const hash = hashOf(chain, 'storing');
  return [
    ...blockNames(chain).flatMap((block): Call[] => [
      ['eth_getBlockByNumber', block, false],
      ['eth_getBlockReceipts', block],
      ['eth_getBlockTransactionCountByNumber', block],
      ['eth_getUncleCountByBlockNumber', block],
      ['eth_getUncleByBlockNumberAndIndex', block, '0x0'],
      ['eth_getTransactionByBlockNumberAndIndex', block, '0x0'],
      ['eth_getHeaderByNumber', block],
      ['debug_getRawBlock', block],
      ['debug_getRawHeader', block],
      ['debug_getRawReceipts', block],
    ]),
    ['eth_getBlockByNumber', 'safe', false],
    ['eth_getBlockByNumber', 'finalized', false],
    ['eth_getBlockByNumber', storing, true],
    ['eth_getBlockByNumber', storing],
    ['eth_getBlockByNumber', `0x0${Number(storing)}`, false],
    ['eth_getBlockByNumber', storing, 'true'],
    ['eth_getBlockByNumber'],
    ['eth_getBlockByHash', hash, false],
    ['eth_getBlockByHash', hash, true],
    ['eth_getBlockByHash', unknownHash, false],
    ['eth_getBlockByHash', '0x12', false],
    ['eth_getHeaderByHash', hash],
    ['eth_getBlockTransactionCountByHash', hash],
    ['eth_getBlockTransactionCountByHash', unknownHash],
    ['eth_getUncleCountByBlockHash', hash],
    ['eth_getUncleCountByBlockHash', unknownHash],
    ['eth_getUncleByBlockHashAndIndex', hash, '0x0'],
    ['eth_getUncleByBlockHashAndIndex', unknownHash, '0x0'],
  ];
}
