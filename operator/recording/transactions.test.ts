import { toRecorded, transactionSchema } from './transactions.ts';

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const address = (digit: string) => `0x${digit.repeat(40)}`;
const block = { number: 7, timestamp: '2026-01-15T09:30:00Z' };
const receipt = {
  hash: hash('1'),
  block: 7,
  blockHash: hash('b'),
  gasUsed: 46_000n,
  gasPrice: 12n,
  isSuccess: true,
  events: [],
};
const answer = {
  hash: hash('1'),
  from: address('A'),
  to: address('B'),
  value: '0x1',
  input: '0x',
  nonce: '0x2',
  gas: '0xc350',
};
const authorization = { chainId: '0x0', address: address('D'), nonce: '0x1', r: '0x5', s: '0x6' };

const recordedOf = (more: object, applied: (boolean | undefined)[] = []) =>
  toRecorded(transactionSchema.parse({ ...answer, ...more }), {
    block,
    receipt,
    created: undefined,
    applied,
  });

it('a node of before typed transactions is recorded without what it does not tell', () => {
  expect(recordedOf({ gasPrice: '0xc' })).toEqual({
    hash: hash('1'),
    from: address('a'),
    to: address('b'),
    value: '1',
    data: '0x',
    nonce: 2,
    gas_limit: 50_000,
    gas_used: 46_000,
    gas_price: '12',
    block: 7,
    timestamp: block.timestamp,
    status: 'success',
    events: [],
  });
});

it('an empty access list, which nodes report of most transactions, is not recorded', () => {
  const fees = { type: '0x2', maxFeePerGas: '0x14', maxPriorityFeePerGas: '0x1', gasPrice: '0xc' };
  const recorded = recordedOf({ ...fees, accessList: [] });
  expect(recorded).toMatchObject({ type: 2, max_fee_per_gas: '20', max_priority_fee_per_gas: '1' });
  expect(recorded).not.toHaveProperty('access_list');
});

it.each([
  ['yParity', { yParity: '0x1' }],
  ['v, as besu', { v: '0x1' }],
])('the parity of an authorization is read as %s', (_name, parity) => {
  const { authorizations } = recordedOf(
    { type: '0x4', authorizationList: [{ ...authorization, ...parity }] },
    [true],
  );
  expect(authorizations).toEqual([
    { chain_id: '0', address: address('d'), nonce: '1', y_parity: 1, r: '0x5', s: '0x6', applied: true },
  ]);
});

it('an authorization with the largest nonce and an unknown effect does not stop the recording', () => {
  const largest = { ...authorization, nonce: `0x${'f'.repeat(16)}`, yParity: '0x0' };
  const { authorizations } = recordedOf({ authorizationList: [largest] }, [undefined]);
  expect(authorizations).toMatchObject([{ nonce: `${2n ** 64n - 1n}` }]);
  expect(authorizations?.[0]).not.toHaveProperty('applied');
});

it('a type that only its chain can make is recorded', () => {
  expect(recordedOf({ type: '0x7e', gasPrice: null, accessList: null })).toMatchObject({ type: 126 });
});
