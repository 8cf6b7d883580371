import { blockGasFault, maxCallGas, withGasCap } from './gasCap.ts';

const textOf = (method: string, params: unknown[]) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const paramsIn = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text).params);
const cap = `0x${maxCallGas.toString(16)}`;
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

it('each call of a simulation has the cap', () => {
  const blocks = (gas: string) => [{ blockStateCalls: [{ calls: [{ to }, { to, gas }] }, {}] }, 'latest'];
  const text = textOf('eth_simulateV1', blocks('0xffffffffffff'));
  expect(paramsIn(withGasCap('eth_simulateV1', text))).toEqual(blocks(cap));
});

it('the gas limit of blocks is refused above what a genesis may have', () => {
  const fault = (limit: unknown) =>
    blockGasFault('evm_setBlockGasLimit', textOf('evm_setBlockGasLimit', [limit]));
  expect(fault('0x2540be400')).toBeUndefined();
  expect(fault('0x2540be401')).toBe('a block gas limit of 10000000001 is too high: set at most 10000000000');
  expect(fault('0x1fffffffffffff')).toMatch(/too high/);
});
