import { servicesOf } from './families.ts';
import { blockGasFault, withGasCap as cappedBy, maxCallGas } from './gasCap.ts';

const textOf = (method: string, params: unknown[]) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const paramsIn = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text).params);
const most = maxCallGas.public;
const withGasCap = (method: string, text: string) => cappedBy(method, text, most);
const cap = `0x${most.toString(16)}`;
const to = `0x${'11'.repeat(20)}`;

it.each(['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'debug_traceCall'])(
  '%s computes with no more gas than the cap, however it is written',
  (method) => {
    for (const gas of ['0xffffffffffffffff', 1e15, '99999999999999']) {
      const text = textOf(method, [{ to, gas }, 'latest']);
      expect(paramsIn(withGasCap(method, text))).toEqual([{ to, gas: cap }, 'latest']);
    }
    const other = textOf(method, [{ to, gasLimit: '0xffffffffffff' }]);
    expect(paramsIn(withGasCap(method, other))).toEqual([{ to, gasLimit: cap }]);
    const escaped = textOf(method, [{ to, gas: '0xffffffffffff' }]).replace('"gas"', '"\\u0067as"');
    expect(paramsIn(withGasCap(method, escaped))).toEqual([{ to, gas: cap }]);
  },
);

it('a call with less gas, or none, is sent as it is, and so is what is mined', () => {
  expect(withGasCap('eth_call', textOf('eth_call', [{ to, gas: '0x5208' }]))).toBeUndefined();
  expect(withGasCap('eth_call', textOf('eth_call', [{ to }, 'latest']))).toBeUndefined();
  const mined = textOf('eth_sendTransaction', [{ to, gas: '0xffffffffffff' }]);
  expect(withGasCap('eth_sendTransaction', mined)).toBeUndefined();
});

it('the calls of a simulation have the cap together', () => {
  const blocks = (gas: string) => [{ blockStateCalls: [{ calls: [{ to }, { to, gas }] }, {}] }, 'latest'];
  const text = textOf('eth_simulateV1', blocks('0xffffffffffff'));
  expect(paramsIn(withGasCap('eth_simulateV1', text))).toEqual(blocks(`0x${(most / 2n).toString(16)}`));
});

it('overrides of the block have the cap, too', () => {
  const high = { gasLimit: '0xffffffffffffffff' };
  const low = { gasLimit: cap };
  const call = textOf('eth_call', [{ to }, 'latest', {}, high]);
  expect(paramsIn(withGasCap('eth_call', call))).toEqual([{ to }, 'latest', {}, low]);
  const trace = textOf('debug_traceCall', [{ to }, 'latest', { blockOverrides: high }]);
  expect(paramsIn(withGasCap('debug_traceCall', trace))).toEqual([{ to }, 'latest', { blockOverrides: low }]);
  const simulation = textOf('eth_simulateV1', [
    { blockStateCalls: [{ blockOverrides: high, calls: [{ to }] }] },
  ]);
  expect(paramsIn(withGasCap('eth_simulateV1', simulation))).toEqual([
    { blockStateCalls: [{ blockOverrides: low, calls: [{ to }] }] },
  ]);
});

it('a number that only some parsers read counts as too high', () => {
  const text = textOf('eth_call', [{ to, gas: '0xff_ffff_ffff' }]);
  expect(paramsIn(withGasCap('eth_call', text))).toEqual([{ to, gas: cap }]);
});

it('a number that is longer than any is too high, and not read: that takes long', () => {
  for (const gas of ['9'.repeat(100_000), `0x${'f'.repeat(100_000)}`, `${'0'.repeat(100_000)}1`]) {
    const text = textOf('eth_call', [{ to, gas }]);
    expect(paramsIn(withGasCap('eth_call', text))).toEqual([{ to, gas: cap }]);
  }
  const fault = blockGasFault('evm_setBlockGasLimit', textOf('evm_setBlockGasLimit', ['1'.repeat(100_000)]));
  expect(fault).toMatch(/too high/);
});

it.each([
  ['rpc', maxCallGas.public],
  ['ws', maxCallGas.public],
  ['admin', maxCallGas.admin],
])('the service %s computes with at most %d gas', (name, expected) => {
  const policy = servicesOf({ type: 'Ethereum', participants: 0 }).get(name);
  const text = textOf('eth_call', [{ to, gas: '0xffffffffffff' }]);
  const rewritten = policy?.kind === 'jsonRpc' ? policy.rewrite?.('eth_call', text) : undefined;
  expect(paramsIn(rewritten)).toEqual([{ to, gas: `0x${expected.toString(16)}` }]);
});

it('the gas limit of blocks is refused above what a genesis may have', () => {
  const fault = (limit: unknown) =>
    blockGasFault('evm_setBlockGasLimit', textOf('evm_setBlockGasLimit', [limit]));
  expect(fault('0x2540be400')).toBeUndefined();
  expect(fault('0x2540be401')).toBe('the block gas limit is too high: set at most 10000000000');
  expect(fault('0x1fffffffffffff')).toMatch(/too high/);
});
