import type { Chain } from '../chain.ts';
import { receiver, sender, unknownHash } from '../scene.ts';
import { type Call, read } from './call.ts';

/** What a node says of itself, its pool and its accounts, and methods of other clients. */
export function nodeCalls(chain: Chain): Call[] {
  const { contract } = chain;
  return [
    ['eth_chainId'],
    ['eth_blockNumber'],
    ['eth_syncing'],
    ['eth_accounts'],
    ['eth_config'],
    ['eth_coinbase'],
    ['eth_mining'],
    ['eth_hashrate'],
    ['eth_protocolVersion'],
    ['eth_getWork'],
    ['eth_getCompilers'],
    ['eth_baseFee'],
    ['net_version'],
    ['net_listening'],
    ['net_peerCount'],
    ['web3_clientVersion'],
    ['web3_sha3', '0x68656c6c6f'],
    ['web3_sha3', 'hello'],
    ['web3_sha3'],
    ['rpc_modules'],
    ['txpool_status'],
    ['txpool_content'],
    ['txpool_inspect'],
    ['txpool_contentFrom', sender],
    ['txpool_contentFrom', receiver],
    ['eth_pendingTransactions'],
    ['eth_sign', sender, '0x00'],
    ['eth_signTransaction', { from: sender }],
    ['eth_sendTransaction', { from: receiver, to: sender }],
    ['eth_resend', { from: receiver, to: sender, nonce: '0x0' }],
    ['eth_fillTransaction', read(chain)],
    ['eth_subscribe', 'newHeads'],
    ['eth_unsubscribe', '0x1'],
    ['eth_getTransactionBySenderAndNonce', sender, '0x1'],
    ['eth_getAccount', contract, 'latest'],
    ['eth_getAccountInfo', contract, 'latest'],
    ['eth_nonsense'],
    ['eth_getBlobSidecars', 'latest'],
    ['eth_callBundle', {}],
    ['eth_callMany', [{ transactions: [read(chain)] }], { blockNumber: 'latest' }],
    ['debug_codeByHash', unknownHash],
    ...administration,
    ...otherClients(chain),
  ];
}

/** Only the admin key may call these. */
const administration: Call[] = [
  ['admin_nodeInfo'],
  ['admin_peers'],
  ['miner_setExtra', 'text'],
  ['miner_setGasPrice', 'much'],
  ['miner_setGasLimit', 'much'],
  ['debug_setHead', 'latest'],
  ['debug_getBadBlocks'],
  ['debug_getModifiedAccountsByHash', unknownHash],
  ['debug_getModifiedAccountsByNumber', 3],
  ['debug_intermediateRoots', unknownHash, {}],
  ['debug_dumpBlock', '0x1'],
  ['debug_preimage', unknownHash],
  ['debug_printBlock', 1],
  ['debug_dbGet', '0x00'],
];

/** Methods of Erigon and Otterscan, for explorers. */
const otherClients = ({ contract, numbers, transactions }: Chain): Call[] => [
  ['erigon_getHeaderByNumber', numbers.storing],
  ['ots_getApiLevel'],
  ['ots_hasCode', contract, 'latest'],
  ['ots_getBlockDetails', numbers.storing],
  ['ots_getBlockDetails', '0xfff'],
  ['ots_getBlockTransactions', Number(numbers.storing), 0, 5],
  ['ots_getTransactionError', transactions.reverting],
  ['ots_getInternalOperations', transactions.storing],
  ['ots_traceTransaction', transactions.storing],
  ['ots_getContractCreator', contract],
  ['ots_searchTransactionsBefore', contract, 0, 5],
  ['ots_searchTransactionsAfter', contract, 0, 5],
  ['ots_getTransactionBySenderAndNonce', sender, 1],
];
