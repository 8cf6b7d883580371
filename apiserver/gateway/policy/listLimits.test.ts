import { call } from '../testing/fixtures.ts';
import type { JsonRpcPolicy } from './policy.ts';
import { screen } from './screen.ts';
import { evmClientServices, evmServices } from './services.ts';

const address = `0x${'00'.repeat(20)}`;
const many = <T>(length: number, one: T): T[] => Array<T>(length).fill(one);
const rising = (length: number) => Array.from({ length }, (_, at) => at / 3);
const topic = `0x${'11'.repeat(32)}`;
const invented = (length: number) =>
  Object.fromEntries(Array.from({ length }, (_, at) => [at === 0 ? 'to' : `invented${at}`, address]));

const screened = (services: typeof evmServices, body: unknown) => {
  const policy = services.get('rpc');
  if (policy?.kind !== 'jsonRpc') throw new Error('no JSON-RPC');
  return screen(Buffer.from(JSON.stringify(body)), {
    access: 'admin',
    policy: policy satisfies JsonRpcPolicy,
  });
};

/** A list in the parameters of a method, and the most entries that it may have. */
const lists: [method: string, most: number, what: string, params: (length: number) => unknown[]][] = [
  ['eth_getProof', 1024, 'storage keys', (length) => [address, many(length, '0x0'), 'latest']],
  ['eth_getLogs', 1000, 'addresses or topics', (length) => [{ address: many(length, address) }]],
  ['eth_getLogs', 1000, 'addresses or topics', (length) => [{ topics: [null, many(length, topic)] }]],
  ['eth_newFilter', 1000, 'addresses or topics', (length) => [{ topics: [many(length, topic)] }]],
  ['eth_subscribe', 1000, 'addresses or topics', (length) => ['logs', { address: many(length, address) }]],
  ['eth_getLogs', 4, 'positions of topics', (length) => [{ topics: many(length, many(100, topic)) }]],
  ['eth_feeHistory', 100, 'percentiles', (length) => ['0x4', 'latest', rising(length)]],
  [
    'eth_simulateV1',
    256,
    'blocks',
    (length) => [{ blockStateCalls: many(length, { calls: [{ to: address }] }) }],
  ],
  [
    'eth_simulateV1',
    1024,
    'calls',
    (length) => [{ blockStateCalls: [{ calls: many(length, { to: address }) }] }],
  ],
  ...['blockOverrides', 'calls'].map((name): (typeof lists)[number] => [
    'eth_simulateV1',
    64,
    'members of a block or a call',
    (length) => [{ blockStateCalls: [{ [name]: name === 'calls' ? [invented(length)] : invented(length) }] }],
  ]),
];

describe.each([
  ['anvil', evmServices],
  ['a client', evmClientServices],
])('of %s', (_node, services) => {
  it.each(lists)('%s may have %d, and no more, %s', (method, most, what, params) => {
    const of = (length: number) => screened(services, call(method, params(length)));
    expect(of(most)).toMatchObject({ calls: 1, refusals: [] });
    const { calls, refusals } = of(most + 1);
    expect([calls, JSON.parse(refusals.join())]).toEqual([
      0,
      expect.objectContaining({
        error: {
          code: -32602,
          message: `${most + 1} ${what} are too many: ask for at most ${most} at a time`,
        },
      }),
    ]);
  });

  it('a batch loses only the calls that ask for too much', () => {
    const proof = (length: number) => call('eth_getProof', [address, many(length, '0x0'), 'latest']);
    expect(screened(services, [proof(1), proof(90_000), proof(2)])).toMatchObject({ calls: 2 });
  });

  it.each([[null], [['0x']], [{}], ['x'], [7]])(
    'what is not a list is for the node to refuse: %j',
    (given) => {
      for (const method of ['eth_getProof', 'eth_getLogs', 'eth_simulateV1', 'eth_call', 'eth_feeHistory']) {
        const long = call(method, [given, given, given, 'x'.repeat(8_192)]);
        expect(screened(services, long)).toMatchObject({ calls: 1, refusals: [] });
      }
    },
  );
});
