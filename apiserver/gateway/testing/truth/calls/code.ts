import type { Chain } from '../chain.ts';
import { creation, reading, receiver, reverting, runtime, sender, slot, storing } from '../scene.ts';
import { blockNames, type Call, read } from './call.ts';

/** Code that a node runs without a transaction. */
export function codeCalls(chain: Chain): Call[] {
  return [
    ...blockNames(chain).flatMap((block): Call[] => [
      ['eth_call', read(chain), block],
      ['eth_estimateGas', read(chain), block],
      ['eth_createAccessList', read(chain), block],
    ]),
    ...calls(chain),
    ...overrides(chain),
    ...estimates(chain),
    ...simulations(chain),
  ];
}

const calls = (chain: Chain): Call[] => {
  const { contract } = chain;
  const reads = read(chain);
  return [
    ['eth_call'],
    ['eth_call', {}, 'latest'],
    ['eth_call', { to: contract, data: reading }],
    ['eth_call', { to: contract, input: reading }],
    ['eth_call', { to: contract, input: reading, data: storing(1) }, 'latest'],
    ['eth_call', { from: sender, to: contract, data: reverting }, 'latest'],
    ['eth_call', { data: creation }, 'latest'],
    ['eth_call', { to: contract, data: '0xzz' }, 'latest'],
    ['eth_call', { to: contract, data: '0x1' }, 'latest'],
    ['eth_call', { ...reads, gas: '0x10' }, 'latest'],
    ['eth_call', { ...reads, gas: '0xffffffffffff' }, 'latest'],
    ['eth_call', { ...reads, value: '0xffffffffffffffffffffffff' }, 'latest'],
    ['eth_call', { ...reads, gasPrice: '0x1' }, 'latest'],
    ['eth_call', { ...reads, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }, 'latest'],
    ['eth_call', { ...reads, nonce: '0x99' }, 'latest'],
    ['eth_call', { ...reads, chainId: '0x99' }, 'latest'],
    ['eth_createAccessList', { from: sender, to: contract, data: storing(5) }],
    ['eth_createAccessList', { from: sender, to: contract, data: reverting }],
  ];
};

/** Code that returns the number of the block. */
const numberOfBlock = '0x435f5260205ff3';

const overrides = (chain: Chain): Call[] => {
  const { contract } = chain;
  const stateDiff = { [slot(0)]: slot(99) };
  return [
    ['eth_call', read(chain), 'latest', { [contract]: { code: `0x${runtime}`, stateDiff } }],
    ['eth_call', read(chain), 'latest', { [contract]: { state: {} } }],
    ['eth_call', read(chain), 'latest', { [contract]: { state: {}, stateDiff: {} } }],
    ['eth_call', read(chain), 'latest', { [contract]: { movePrecompileToAddress: receiver } }],
    ['eth_call', { to: sender, data: '0x' }, 'latest', { [sender]: { balance: '0x1', nonce: '0x5' } }],
    ['eth_call', { to: contract }, 'latest', { [contract]: { code: numberOfBlock } }, { number: '0x99' }],
  ];
};

const estimates = ({ contract }: Chain): Call[] => {
  const stores = { from: sender, to: contract, data: storing(5) };
  return [
    ['eth_estimateGas', {}],
    ['eth_estimateGas', stores],
    ['eth_estimateGas', { ...stores, gas: '0x5300' }],
    ['eth_estimateGas', stores, 'latest', { [contract]: { code: '0x' } }],
    ['eth_estimateGas', { from: sender, to: contract, data: reverting }],
    ['eth_estimateGas', { from: sender, data: creation }],
    ['eth_estimateGas', { from: sender, to: receiver, value: '0x1' }],
    ['eth_estimateGas', { from: receiver, to: sender, value: '0xfffffffffffffffffffff' }],
  ];
};

const simulations = (chain: Chain): Call[] => {
  const { blocks, contract } = chain;
  const old = chain.numbers.storing;
  const reads = read(chain);
  const gift = { from: sender, to: receiver, value: '0x1' };
  const rich = { [receiver]: { balance: '0x99999999999999999' } };
  const simulate = (blocks: object[], options: object = {}, block = 'latest'): Call => [
    'eth_simulateV1',
    { blockStateCalls: blocks, ...options },
    block,
  ];
  return [
    simulate([]),
    simulate([{ calls: [reads] }]),
    simulate([{ calls: [reads] }, { calls: [reads] }]),
    simulate([{ calls: [reads] }], {}, old),
    simulate([{ calls: [reads] }], {}, '0xffff'),
    simulate([{ calls: [{ from: sender, data: creation }] }]),
    simulate([{ calls: [{ from: sender, input: creation }] }]),
    simulate([{ calls: [{ from: sender, to: contract, data: reverting }] }]),
    simulate([{ calls: [reads], blockOverrides: { number: `0x${(blocks.length + 2).toString(16)}` } }]),
    simulate([{ calls: [reads], blockOverrides: { number: '0x2' } }]),
    simulate([{ calls: [reads], blockOverrides: { number: '0x5000' } }]),
    simulate([{ calls: [gift] }], { traceTransfers: true }),
    simulate([{}], { validation: true }),
    simulate([{}, {}], { validation: true }),
    simulate([{}], { validation: true }, old),
    simulate(
      [{ stateOverrides: rich, calls: [{ from: receiver, to: sender, value: '0x5' }] }],
      { returnFullTransactions: true },
      old,
    ),
  ];
};
