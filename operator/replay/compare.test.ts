import type { RecordedTransaction } from '../../core/api/rest/replay.ts';
import { compare, type MinedResult } from './compare.ts';

const kinds = ['1', '2'].map((digit) => `0x${digit.repeat(64)}`);
const address = `0x${'a'.repeat(40)}`;
const data = '0x01020300';
const priceOfData = 21_000 + 3 * 16 + 4;
const floorOfData = 21_000 + 3 * 40 + 10;
const recorded: RecordedTransaction = {
  hash: `0x${'f'.repeat(64)}`,
  from: address,
  to: address,
  value: '0',
  data,
  nonce: 0,
  gas_limit: 100_000,
  gas_used: 60_000,
  block: 1,
  timestamp: '2026-01-15T09:30:00Z',
  status: 'success' as const,
  events: kinds,
};
const outcome: MinedResult = { block: 1, status: 'success', gasUsed: 60_000, events: kinds };
const sent = { data };
const list = [{ address, storage_keys: [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`] }];
const priceOfList = 21_000 + 2_400 + 2 * 1_900;
const one = { chain_id: '0', address, nonce: '0', y_parity: 0, r: '0x1', s: '0x1' };

test.each<[string, Partial<RecordedTransaction>, Partial<MinedResult>]>([
  ['the same', {}, {}],
  ['a little more gas', {}, { gasUsed: 62_900 }],
  ['events that were not recorded', { events: undefined }, { events: [] }],
  ['gas that was not recorded', { gas_used: undefined }, { gasUsed: 90_000 }],
  ['a transfer', { gas_used: priceOfData, events: [] }, { gasUsed: floorOfData, events: [] }],
  [
    'created contracts that the node does not report',
    { created_contracts: [address] },
    { created: undefined },
  ],
])('%s matches without a difference', (_reason, of, is) => {
  expect(compare({ ...recorded, ...of }, { ...outcome, ...is }, sent)).toEqual({
    isMatch: true,
    differences: [],
  });
});

test.each<[string, Partial<RecordedTransaction>, Partial<MinedResult>, string]>([
  ['another status', {}, { status: 'reverted' }, 'status: reverted, recorded: success'],
  ['no contract', { contract_address: address }, {}, 'contract: none, recorded: created'],
  ['a contract', {}, { contractAddress: address }, 'contract: created, recorded: none'],
  ['fewer children', { created_contracts: [address] }, { created: [] }, 'created contracts: 0, recorded: 1'],
  ['fewer events', {}, { events: kinds.slice(1) }, 'events: 1, recorded: 2'],
  ['another event', {}, { events: [kinds[0] ?? '', address] }, `event 1: ${address}, recorded: ${kinds[1]}`],
  ['no code', { gas_used: 22_000 }, { gasUsed: floorOfData }, 'code: none ran, recorded: ran'],
  ['code', { gas_used: floorOfData }, { gasUsed: 23_000 }, 'code: ran, recorded: none ran'],
])('%s does not match', (_reason, of, is, difference) => {
  expect(compare({ ...recorded, ...of }, { ...outcome, ...is }, sent)).toEqual({
    isMatch: false,
    differences: [difference],
  });
});

test('a transfer with an access list runs no code, with or without the list', () => {
  const transfer = { ...recorded, data: '0x', access_list: list, gas_used: priceOfList, events: [] };
  const plain = { ...outcome, events: [] };
  for (const [access_list, gasUsed] of [
    [list, priceOfList],
    [[], 21_000],
  ] as const) {
    const { isMatch } = compare(
      transfer,
      { ...plain, gasUsed },
      { data: '0x', access_list: [...access_list] },
    );
    expect(isMatch).toBe(true);
  }
});

test.each([
  ['for a new account', 46_000, 1],
  ['for an account that was there', 46_000 - 9_200, 1],
  ['for two accounts, one of which was there', 71_000 - 12_500, 2],
])('a transfer with authorizations %s runs no code', (_reason, gasUsed, count) => {
  const authorizations = Array.from({ length: count }, () => one);
  const transfer = { ...recorded, data: '0x', authorizations, gas_used: gasUsed, events: [] };
  const replayed = { ...outcome, gasUsed: 21_000, events: [] };
  expect(compare(transfer, replayed, { data: '0x' }).isMatch).toBe(true);
});

test('a difference only in gas is reported, but still matches', () => {
  expect(compare(recorded, { ...outcome, gasUsed: 80_000 }, sent)).toEqual({
    isMatch: true,
    differences: ['gas used: 80000, recorded: 60000'],
  });
});
