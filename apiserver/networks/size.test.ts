import { refuseSize } from './size.ts';

const limits = { participants: 8, validators: 10_000 };
const specOf = (ethereum: object) =>
  ({ chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, ...ethereum } } }) as const;

it.each([
  ['as many participants as allowed', { participants: [{ count: 4 }, { count: 3 }, {}] }, []],
  ['one more, in several entries', { participants: [{ count: 4 }, { count: 4 }, {}] }, ['participants']],
  ['16 entries of 32', { participants: Array.from({ length: 16 }, () => ({ count: 32 })) }, ['participants']],
  ['too many validators', { participants: [{}], validatorCount: 10_001 }, ['validatorCount']],
  ['validators that no participant runs', { validatorCount: 100_000 }, []],
])('%s', (_case, ethereum, fields) => {
  const paths = refuseSize(specOf(ethereum), limits).map(({ path }) => path);
  expect(paths).toEqual(fields.map((field) => `spec.chain.ethereum.${field}`));
});

it('says what is allowed, and which value of the chart decides', () => {
  const [refusal] = refuseSize(specOf({ participants: [{ count: 9 }] }), limits);
  expect(refusal?.message).toBe('9 participants are too many: a network may have 8 (quota.participants)');
});
