import type { Difference } from './difference.ts';

const byGeth = { refusedBy: 'geth', codes: [-32602, -32000] } as const;

/** What the light engine takes although geth does not. */
export const leniences: readonly Difference[] = [
  {
    methods: [
      'eth_getBlockByNumber',
      'eth_getBlockTransactionCountByNumber',
      'eth_getUncleByBlockNumberAndIndex',
      'eth_getUncleCountByBlockNumber',
      'eth_feeHistory',
    ],
    what: 'numbers of blocks as JSON numbers, in decimal, and with leading zeros',
    reason: 'The engine reads any form of a number that it understands.',
    where: byGeth,
    params: /^\[("0x2",)?("3"|3|"0x0[1-9a-f]")[,\]]/,
  },
  {
    methods: ['eth_getStorageAt'],
    what: 'a slot as a JSON number, and one that is too long',
    reason: 'The engine reads any form of a number that it understands, and leading zeros of any length.',
    where: byGeth,
  },
  {
    methods: ['eth_getBalance'],
    what: 'an address without `0x`, and the block `null`',
    reason: 'The engine takes both, and `null` as `latest`.',
    where: byGeth,
  },
  {
    methods: ['eth_feeHistory'],
    what: 'a call without percentiles',
    reason: 'The engine takes them as none.',
    where: byGeth,
    params: /^\["0x2","latest"\]$/,
  },
  {
    methods: ['eth_getProof'],
    what: 'the block `pending`',
    reason: 'geth has no proofs of a state that is not in its database.',
    where: byGeth,
    params: /"pending"/,
  },
  {
    methods: ['eth_getLogs'],
    what: 'a range that ends after the newest block, and one between `safe` and `finalized` in the wrong order',
    reason:
      'The engine answers with the logs up to its newest block, or with none; the gateway asks it nothing beforehand, because so many calls are of this kind.',
    where: byGeth,
  },
  {
    methods: ['eth_call'],
    what: 'a gas price below the base fee',
    reason: 'The engine takes no fee for a call that is not sent.',
    where: byGeth,
    params: /"gasPrice"/,
  },
  {
    methods: ['eth_createAccessList'],
    what: 'a sender that cannot pay the gas',
    reason: 'The engine takes no fee for a call that is not sent.',
    where: byGeth,
    params: /"earliest"/,
  },
  {
    methods: ['debug_traceBlockByNumber'],
    what: 'the block `earliest`',
    reason: 'The first block has no transactions, so its list of traces is empty.',
    where: byGeth,
    params: /^\["earliest"/,
  },
  {
    methods: ['debug_traceCall'],
    what: 'the block `pending`',
    reason: 'The engine runs the call after the transactions that wait.',
    where: byGeth,
    params: /"pending"/,
  },
  {
    methods: ['debug_traceTransaction'],
    what: '`timeout`',
    reason: 'The engine does not read it.',
    where: byGeth,
    params: /"timeout":"x"/,
  },
];
