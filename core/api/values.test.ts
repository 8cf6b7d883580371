import { replayBodyLimitBytes } from './operations/operation.ts';
import { transactionItemSchema } from './rest/transaction.ts';
import { hexDataSchema } from './values.ts';

const to = `0x${'1'.repeat(40)}`;
/** As long as the longest body. */
const longest = `0x${'ab'.repeat(replayBodyLimitBytes / 2)}`;

it.each([
  ['data of a replay', (text: string) => hexDataSchema.safeParse(text).success],
  [
    'data of a transaction',
    (data: string) => transactionItemSchema.safeParse({ to, value: '0', data }).success,
  ],
])('%s is bytes in hexadecimal, however long it is', (_what, isData) => {
  expect(['0x', '0xab', '0xa', '0xay'].map(isData)).toEqual([true, true, false, false]);
  expect([longest, `${longest}a`, `${longest}xy`].map(isData)).toEqual([true, false, false]);
});
