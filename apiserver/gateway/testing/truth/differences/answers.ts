import { type Difference, isAdded, isLeftOut } from './difference.ts';

const isHash = (value: unknown) => typeof value === 'string' && value.length === 66;

const blockTags: Difference = {
  methods: ['eth_getBlockByNumber'],
  what: '`safe` and `finalized`',
  reason:
    'They are one and two blocks behind the newest one, so that tools see them move; a single geth without a beacon node has no others than the newest and the first.',
  where: { paths: /^result\./ },
  params: /^\["(safe|finalized)"/,
};

const ofBlocks: readonly Difference[] = [
  blockTags,
  {
    methods: ['eth_getBlockByNumber'],
    what: '`hash`, `miner`, `nonce` and `parentBeaconBlockRoot` of `pending`',
    reason: 'The engine gives the block that it would mine, where geth leaves out what is not known yet.',
    where: { paths: /^result\.(hash|miner|nonce|parentBeaconBlockRoot)$/ },
    params: /^\["pending"/,
  },
  {
    methods: ['eth_subscribe'],
    what: '`totalDifficulty`, `size`, `uncles`, `transactions` and `withdrawals` of new heads',
    reason: 'The engine tells the whole block, and geth its header.',
    where: { paths: /^result\.(totalDifficulty|size|uncles|transactions|withdrawals)$/ },
    values: isAdded,
    params: /"newHeads"/,
  },
  {
    methods: ['eth_getBlockByNumber', 'eth_getBlockByHash'],
    what: '`totalDifficulty`, always 0',
    reason: 'Older clients expect it; geth no longer has it.',
    where: { paths: /^result\.totalDifficulty$/ },
    values: (geth, light) => geth === undefined && light === '0x0',
  },
  {
    methods: [
      'eth_getBlockByNumber',
      'eth_getBlockByHash',
      'eth_getTransactionByHash',
      'eth_getTransactionByBlockHashAndIndex',
      'eth_getTransactionByBlockNumberAndIndex',
      'eth_getTransactionReceipt',
      'eth_getBlockReceipts',
    ],
    what: '`blockTimestamp` of transactions (hexadecimal) and of receipts (a number)',
    reason: 'The engine adds it.',
    where: { paths: /\.blockTimestamp$/ },
    values: isAdded,
  },
  {
    methods: ['eth_getTransactionReceipt', 'eth_getBlockReceipts'],
    what: '`blobGasPrice` in receipts of all transactions',
    reason: 'The engine adds it to those without blobs, too.',
    where: { paths: /\.blobGasPrice$/ },
    values: isAdded,
  },
  {
    methods: ['eth_getTransactionByHash'],
    what: '`gasPrice` of a transaction that waits',
    reason: 'The engine says what it would pay in the next block, and geth the most that it would pay.',
    where: { paths: /^result\.gasPrice$/ },
  },
  {
    methods: [
      'eth_getRawTransactionByHash',
      'eth_getRawTransactionByBlockHashAndIndex',
      'eth_getRawTransactionByBlockNumberAndIndex',
      'debug_getRawTransaction',
    ],
    what: 'an unknown transaction, which is `null`',
    reason: 'geth answers `0x`.',
    where: { paths: /^result$/ },
    values: (geth, light) => geth === '0x' && light === null,
  },
];

const ofState: readonly Difference[] = [
  {
    methods: ['eth_getProof'],
    what: '`accountProof`',
    reason:
      "The states differ by the accounts that each has from its first block on, and by geth's system contracts.",
    where: { paths: /^result\.accountProof$/ },
  },
  {
    methods: ['eth_getProof'],
    what: '`key`, always of 32 bytes',
    reason: 'The gateway writes short keys in full, because the engine takes no others.',
    where: { paths: /^result\.storageProof\[\]\.key$/ },
  },
  {
    methods: ['eth_getProof'],
    what: '`codeHash` and `storageHash` of an account that does not exist, and the proof in an empty storage',
    reason:
      'The engine gives the hashes of no code and of an empty tree, and the empty tree as proof; geth gives zeros and no proof.',
    where: { paths: /^result\.(codeHash|storageHash|storageProof\[\]\.proof)$/ },
  },
];

const ofFees: readonly Difference[] = [
  {
    methods: ['eth_estimateGas'],
    what: 'the estimate, up to 1.5 % lower',
    reason:
      'The engine answers the least gas with which the call succeeds, and geth stops searching near it.',
    where: { paths: /^result$/ },
    values: (geth, light) => Number(light) < Number(geth) && Number(geth) < Number(light) * 1.015,
  },
  {
    methods: ['eth_gasPrice'],
    what: 'the base fee in it, which is that of the next block',
    reason: 'geth adds its tip to the base fee of the newest block.',
    where: { paths: /^result$/ },
  },
  {
    methods: ['eth_fillTransaction'],
    what: 'gas and fees, `gasPrice`, and members about a block',
    reason: 'The engine fills in its own estimate and the base fee without a reserve.',
    where: {
      paths:
        /^result\.(raw|tx\.(gas|gasPrice|maxFeePerGas|hash|blockHash|blockNumber|transactionIndex|from))$/,
    },
  },
  {
    methods: ['eth_feeHistory'],
    what: 'a history that ends with `pending`',
    reason: 'The engine answers the one that ends with `latest`; `oldestBlock` says so.',
    where: { paths: /^result\.(oldestBlock|baseFeePerGas\[\]|gasUsedRatio\[\]|reward\[\]\[\])$/ },
    params: /"pending"/,
  },
  {
    methods: ['eth_feeHistory'],
    what: '`reward`, an empty list without percentiles',
    reason: 'geth leaves it out.',
    where: { paths: /^result\.reward$/ },
    values: isAdded,
  },
];

const ofSimulations: readonly Difference[] = [
  {
    methods: ['eth_simulateV1'],
    what: 'hashes and roots of the simulated blocks and transactions',
    reason: 'The engine makes simpler blocks, with empty roots.',
    where: {
      paths:
        /^result\[\]\.(hash|parentHash|transactions\[\]|receiptsRoot|transactionsRoot|calls\[\]\.logs\[\]\.(block|transaction)Hash)$/,
    },
    values: (geth, light) => isHash(geth) && isHash(light),
  },
  {
    methods: ['eth_simulateV1'],
    what: '`size`, and members about blobs, requests and withdrawals',
    reason: 'The engine leaves them out.',
    where: {
      paths:
        /^result\[\]\.(size|blobGasUsed|excessBlobGas|parentBeaconBlockRoot|requestsHash|withdrawals|withdrawalsRoot)$/,
    },
    values: isLeftOut,
  },
  {
    methods: ['eth_simulateV1'],
    what: '`returnData` and the code of a call that reverts',
    reason: 'They are as in `eth_call`: the data, and 3; geth has `0x` and -32000.',
    where: { paths: /^result\[\]\.calls\[\]\.(returnData|error\.code)$/ },
  },
  {
    methods: ['eth_simulateV1'],
    what: '`logsBloom` with `traceTransfers`',
    reason: 'The engine counts the logs of transfers, too.',
    where: { paths: /^result\[\]\.logsBloom$/ },
    params: /"traceTransfers":true/,
  },
  {
    methods: ['eth_simulateV1'],
    what: 'the base fee of all simulated blocks but the first, with `validation`',
    reason: 'The engine goes on with that of the first one.',
    where: { paths: /^result\[\]\.baseFeePerGas$/ },
    params: /"validation":true/,
  },
];

const ofTraces: readonly Difference[] = [
  {
    methods: ['debug_traceTransaction', 'debug_traceBlockByHash', 'debug_traceBlockByNumber'],
    what: '`gas` of the outermost call with `callTracer`',
    reason:
      'It is without the gas that the transaction pays before its code runs; `gas` of `eth_getTransactionByHash` is its limit, and `gasUsed` of the trace is as in geth.',
    where: { paths: /^result(\[\]\.result)?\.gas$/ },
    values: (geth, light) => Number(light) < Number(geth),
  },
  {
    methods: ['debug_traceCall'],
    what: '`gas` of a call without a limit',
    reason: 'The limit of the engine is that of a block, and that of geth 50,000,000.',
    where: { paths: /^result\.(gas|structLogs\[\]\.gas)$/ },
  },
  {
    methods: ['debug_traceCall'],
    what: '`refund` in each step, and `0x` before slots and their values',
    reason: 'The engine writes steps in its own form.',
    where: { paths: /^result\.structLogs\[\]\.(refund|storage\.(0x)?[0-9a-f]{64})$/ },
  },
  {
    methods: ['debug_traceTransaction', 'debug_traceCall'],
    what: '`codeHash` with `prestateTracer`',
    reason: 'The engine does not have it; the code is there.',
    where: { paths: /^result\.((pre|post)\.)?0x[0-9a-f]{40}\.codeHash$/ },
    values: isLeftOut,
  },
  {
    methods: ['debug_traceTransaction'],
    what: '`index` of logs with `callTracer`',
    reason: 'The engine adds it.',
    where: { paths: /^result\.logs\[\]\.index$/ },
    values: isAdded,
  },
];

const ofNodes: readonly Difference[] = [
  {
    methods: ['web3_clientVersion'],
    what: 'the name and the version of the client',
    reason: 'It is anvil, and tools that know it use its methods.',
    where: { paths: /^result$/ },
  },
  {
    methods: ['eth_config'],
    what: '`forkId` and the address of the deposit contract',
    reason: 'The engine does not work out the first, and has the second of the public chain.',
    where: { paths: /^result\.current\.(forkId|systemContracts\.DEPOSIT_CONTRACT_ADDRESS)$/ },
  },
  {
    methods: ['eth_newFilter', 'eth_newBlockFilter', 'eth_newPendingTransactionFilter'],
    what: 'the ids of filters',
    reason: 'They are random.',
    where: { paths: /^result$/ },
  },
  {
    methods: ['txpool_content', 'txpool_inspect'],
    what: 'addresses in lower case',
    reason: 'geth writes them with their checksums.',
    where: { paths: /^result\.queued\.0x[0-9a-fA-F]{40}$/ },
  },
];

/** What has another value or another form. */
export const answerDifferences: readonly Difference[] = [
  ofBlocks,
  ofState,
  ofFees,
  ofSimulations,
  ofTraces,
  ofNodes,
].flat();
