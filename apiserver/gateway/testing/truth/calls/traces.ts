import type { Chain } from '../chain.ts';
import { reverting, sender, slot, storing, unknownHash } from '../scene.ts';
import { blockNames, type Call, hashOf, read } from './call.ts';

const script = '{data: [], fault: function(){}, step: function(){}, result: function(){return 1}}';

const tracers = [
  'callTracer',
  'prestateTracer',
  '4byteTracer',
  'noopTracer',
  'flatCallTracer',
  'muxTracer',
  'erc7562Tracer',
  'keccak256PreimageTracer',
  'nonsense',
  script,
];

const calls = { tracer: 'callTracer' };
const diff = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };

export const traceCalls = (chain: Chain): Call[] => [
  ...ofTransactions(chain),
  ...ofBlocks(chain),
  ...ofCalls(chain),
  ...flat(chain),
];

const ofTransactions = ({ transactions }: Chain): Call[] => {
  const { creation, storing: stores, reverting: reverts } = transactions;
  return [
    ['debug_traceTransaction', stores],
    ['debug_traceTransaction', stores, {}],
    ['debug_traceTransaction', unknownHash],
    ['debug_traceTransaction', unknownHash, calls],
    ...tracers.flatMap((tracer): Call[] => [
      ['debug_traceTransaction', stores, { tracer }],
      ['debug_traceTransaction', reverts, { tracer }],
    ]),
    ['debug_traceTransaction', creation, calls],
    ['debug_traceTransaction', stores, { ...calls, tracerConfig: { withLog: true } }],
    ['debug_traceTransaction', stores, { ...calls, tracerConfig: { onlyTopCall: true } }],
    ['debug_traceTransaction', stores, { ...calls, timeout: 'x' }],
    ['debug_traceTransaction', stores, { ...calls, timeout: '5s' }],
    ['debug_traceTransaction', stores, diff],
    ['debug_traceTransaction', creation, diff],
    ['debug_traceTransaction', stores, { ...diff, tracerConfig: { diffMode: true, disableCode: true } }],
  ];
};

const ofBlocks = (chain: Chain): Call[] => [
  ...blockNames(chain).map((block): Call => ['debug_traceBlockByNumber', block, calls]),
  ['debug_traceBlockByNumber', chain.numbers.storing, {}],
  ['debug_traceBlockByHash', hashOf(chain, 'storing'), calls],
  ['debug_traceBlockByHash', unknownHash, calls],
  ['debug_traceBlock', '0x12', calls],
  ['debug_storageRangeAt', hashOf(chain, 'storing'), 0, chain.contract, '0x00', 10],
  ['debug_accountRange', chain.numbers.storing, '0x', 2, true, true, true],
  ['debug_executionWitness', chain.numbers.storing],
];

const ofCalls = (chain: Chain): Call[] => {
  const { contract } = chain;
  const reads = read(chain);
  const stateOverrides = { [contract]: { stateDiff: { [slot(0)]: slot(99) } } };
  return [
    ...blockNames(chain).map((block): Call => ['debug_traceCall', reads, block, calls]),
    ['debug_traceCall', reads, 'latest', {}],
    ['debug_traceCall', reads, 'latest', { tracer: 'flatCallTracer' }],
    ['debug_traceCall', reads, 'latest', { ...calls, stateOverrides }],
    ['debug_traceCall', reads, 'latest', { ...calls, blockOverrides: { number: '0x99' } }],
    ['debug_traceCall', { from: sender, to: contract, data: reverting }, 'latest', calls],
    ['debug_traceCall', { from: sender, to: contract, data: storing(3) }, 'latest', diff],
    ['debug_traceCallMany', [{ transactions: [reads] }], { blockNumber: 'latest' }, calls],
  ];
};

/** Of Parity and Erigon: geth has none of them. */
const flat = (chain: Chain): Call[] => {
  const { storing: stores } = chain.transactions;
  return [
    ['trace_block', chain.numbers.storing],
    ['trace_transaction', stores],
    ['trace_transaction', unknownHash],
    ['trace_filter', { fromBlock: '0x1', toBlock: chain.numbers.storing }],
    ['trace_filter', { fromBlock: chain.numbers.storing, toBlock: '0x1' }],
    ['trace_get', stores, ['0x0']],
    ['trace_call', read(chain), ['trace'], 'latest'],
    ['trace_callMany', [[read(chain), ['trace']]], 'latest'],
    ['trace_rawTransaction', '0x12', ['trace']],
    ['trace_replayTransaction', stores, ['trace']],
    ['trace_replayBlockTransactions', chain.numbers.storing, ['trace']],
  ];
};
