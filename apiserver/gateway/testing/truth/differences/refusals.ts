import type { Difference } from './difference.ts';

const methodNotFound = -32601;
const invalidParams = -32602;
const reverted = 3;

const byMethod = { refusedBy: 'light', codes: [methodNotFound] } as const;
const byParams = { refusedBy: 'light', codes: [invalidParams] } as const;

/** What is refused with an error that says why. */
export const refusals: readonly Difference[] = [
  {
    methods: [
      'debug_getRawBlock',
      'debug_getRawHeader',
      'debug_getRawReceipts',
      'eth_getHeaderByHash',
      'eth_getHeaderByNumber',
      'eth_pendingTransactions',
      'txpool_contentFrom',
      'rpc_modules',
    ],
    what: 'the method',
    reason:
      'The engine does not have it; `eth_getBlockBy*`, `eth_getRawTransactionByHash` and `txpool_content` have the same facts.',
    where: byMethod,
  },
  {
    methods: ['debug_accountRange', 'debug_executionWitness', 'debug_storageRangeAt'],
    what: 'the method',
    reason: 'The engine does not have it, and keeps its state in no form that it could be read from.',
    where: byMethod,
  },
  {
    methods: [
      'admin_nodeInfo',
      'admin_peers',
      'debug_dumpBlock',
      'debug_getBadBlocks',
      'debug_getModifiedAccountsByNumber',
      'debug_printBlock',
      'miner_setExtra',
    ],
    what: 'the method',
    reason: "It is about geth's own peers, database and miner.",
    where: byMethod,
  },
  {
    methods: ['debug_traceTransaction', 'debug_traceBlockByNumber'],
    what: 'a trace without a tracer',
    reason: 'Single steps are not recorded, because those of one large transaction take gigabytes.',
    where: byParams,
    params: /^\["0x[0-9a-f]+"(,\{\})?\]$/,
  },
  {
    methods: ['debug_traceTransaction', 'debug_traceCall'],
    what: '`flatCallTracer`, `muxTracer`, `erc7562Tracer` and `keccak256PreimageTracer`',
    reason: 'The engine does not have them and would answer `{}`; `trace_transaction` answers flat traces.',
    where: byParams,
    params: /"tracer":"(flatCall|mux|erc7562|keccak256Preimage)Tracer"/,
  },
  {
    methods: ['debug_traceBlockByNumber'],
    what: 'the block `pending`',
    reason: 'The engine traces only blocks that are mined.',
    where: byParams,
    params: /^\["pending"/,
  },
  {
    methods: ['eth_getBlockReceipts'],
    what: 'the block `pending`',
    reason:
      'The engine has no receipts of transactions that wait, and would answer that the block does not exist.',
    where: byParams,
    params: /^\["pending"/,
  },
  {
    methods: ['eth_simulateV1'],
    what: 'a call that creates a contract, and `returnFullTransactions`',
    reason:
      'The engine leaves out such calls, and names another chain id in full transactions; `eth_call` and `eth_estimateGas` take creations.',
    where: byParams,
    params: /"(data|input)":"0x60|returnFullTransactions/,
  },
  {
    methods: ['eth_createAccessList'],
    what: 'a call that reverts',
    reason:
      'The engine answers with the error of the revert, and geth with the list up to it and an `error`.',
    where: { refusedBy: 'light', codes: [reverted] },
  },
];

/** What only the light engine answers. */
export const additions: readonly Difference[] = [
  {
    methods: ['trace_block', 'trace_transaction', 'trace_filter', 'trace_replayBlockTransactions'],
    what: 'the method',
    reason: 'Flat traces, as in Parity and Erigon.',
    where: { refusedBy: 'geth', codes: [methodNotFound] },
  },
  {
    methods: [
      'erigon_getHeaderByNumber',
      'ots_getApiLevel',
      'ots_getBlockDetails',
      'ots_getBlockTransactions',
      'ots_getContractCreator',
      'ots_getInternalOperations',
      'ots_getTransactionBySenderAndNonce',
      'ots_getTransactionError',
      'ots_hasCode',
      'ots_searchTransactionsAfter',
      'ots_searchTransactionsBefore',
      'ots_traceTransaction',
    ],
    what: 'the method',
    reason: 'Otterscan asks for it.',
    where: { refusedBy: 'geth', codes: [methodNotFound] },
  },
  {
    methods: [
      'debug_codeByHash',
      'eth_coinbase',
      'eth_getAccount',
      'eth_getAccountInfo',
      'eth_getTransactionBySenderAndNonce',
      'eth_hashrate',
      'eth_protocolVersion',
    ],
    what: 'the method',
    reason: 'Other clients have it, or geth had it.',
    where: { refusedBy: 'geth', codes: [methodNotFound] },
  },
];
