import { systemClock } from '../../../core/lib/clock.ts';
import { servicesOf } from '../policy/families.ts';
import type { JsonRpcPolicy } from '../policy/policy.ts';
import { screen } from '../policy/screen.ts';
import { createAssistance } from './assistance.ts';

const policyOf = (participants: number): JsonRpcPolicy => {
  const policy = servicesOf({ type: 'Ethereum', participants }).get('rpc');
  if (policy?.kind !== 'jsonRpc') throw new Error('rpc is not JSON-RPC');
  return policy;
};
const call = (method: string, id: number) => ({ jsonrpc: '2.0', id, method, params: [] });
const screened = (calls: unknown, participants = 0) =>
  screen(Buffer.from(JSON.stringify(calls)), { access: 'public', policy: policyOf(participants) });
const calls = (count: number) => Array.from({ length: count }, (_, id) => call('eth_call', id));

it('counts the calls of a light network that execute contracts, and those that leave something', () => {
  const batch = [call('eth_call', 1), call('eth_blockNumber', 2), call('eth_newFilter', 3)];
  expect(screened(batch)).toMatchObject({
    work: { computing: 1, answers: 0 },
    kept: 1,
    steps: [],
  });
  expect(screened(call('eth_createAccessList', 1))).toMatchObject({
    work: { computing: 1, answers: 0 },
    kept: 0,
  });
  expect(screened(batch, 1)).toMatchObject({ work: { computing: 0, answers: 0 }, kept: 0 });
});

it('a batch of many such calls is sent in parts, in its order', async () => {
  expect(screened(calls(3)).steps).toEqual([]);
  const given = screened([...calls(9), call('eth_blockNumber', 9)]);
  expect(given.steps).toHaveLength(10);
  const sent: number[] = [];
  const post = async (text: string) => {
    const parts: { id: number }[] = JSON.parse(text);
    sent.push(parts.length);
    return JSON.stringify(parts.map(({ id }) => ({ id })));
  };
  const assistance = createAssistance({
    clock: systemClock,
    open: () => ({ rpc: { call: async () => null, batch: async () => [] }, post }),
    networks: { find: () => undefined },
  });
  const text = await assistance({
    networkUid: 'n',
    screened: given,
    signal: new AbortController().signal,
    noteDone: () => undefined,
    take: () => undefined,
  });
  expect(sent).toEqual([3, 3, 4]);
  expect(JSON.parse(text ?? '').map(({ id }: { id: number }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
