import { execFileSync } from 'node:child_process';
import { replayBodyLimitBytes } from './operations/operation.ts';
import { transactionItemSchema } from './rest/transaction.ts';
import { hexDataSchema } from './values.ts';

const to = `0x${'1'.repeat(40)}`;

it.each([
  ['of a replay', (text: string) => hexDataSchema.safeParse(text).success],
  ['of a transaction', (data: string) => transactionItemSchema.safeParse({ to, value: '0', data }).success],
])('data %s is bytes in hexadecimal', (_what, isData) => {
  expect(['0x', '0xab', '0xa', '0xay', '0x0xab', '0xab\n'].map(isData)).toEqual([
    ...[true, true, false, false],
    ...[false, false],
  ]);
});

it('data may be as long as the longest body, also in a process where V8 does not optimize patterns any more', () => {
  const program = `
    import { hexDataSchema } from './values.ts';
    import { transactionItemSchema } from './rest/transaction.ts';
    const longest = '0x' + 'ab'.repeat(${replayBodyLimitBytes} / 2);
    const checks = [longest, longest + 'a', longest + 'xy'].flatMap((data) => [
      hexDataSchema.safeParse(data).success,
      transactionItemSchema.safeParse({ to: '${to}', value: '0', data }).success,
    ]);
    process.stdout.write(JSON.stringify(checks));`;
  const flags = ['--no-regexp-optimization', '--no-warnings', '--input-type=module'];
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  const printed = execFileSync(process.execPath, [...flags, '--eval', program], options);
  expect(JSON.parse(printed)).toEqual([true, true, false, false, false, false]);
});
