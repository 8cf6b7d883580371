import { windowsCommand } from './windowsCommand.ts';

const files = [
  'C:\\Program Files\\nodejs\\node.exe',
  'C:\\Program Files\\nodejs\\npx.cmd',
  'node_modules\\.bin\\hardhat.cmd',
];
const windows = {
  env: {
    PATH: 'C:\\Windows;C:\\Program Files\\nodejs',
    PATHEXT: '.EXE;.CMD',
    comspec: 'C:\\Windows\\cmd.exe',
  },
  isFile: (path: string) => files.includes(path),
};

it.each([
  ['npx', 'npx'],
  ['npx.cmd', 'npx.cmd'],
  ['./node_modules/.bin/hardhat', 'node_modules\\.bin\\hardhat'],
])('a batch file runs in cmd.exe: %s', (program, expected) => {
  expect(windowsCommand([program, 'test'], windows)).toEqual({
    file: 'C:\\Windows\\cmd.exe',
    args: ['/d', '/s', '/c', `"${expected} ^^^"test^^^""`],
    windowsVerbatimArguments: true,
  });
});

it.each([['node'], ['node.exe'], ['unknown'], ['npx.js']])('anything else runs by itself: %s', (program) => {
  const args = ['-e', 'a & b'];
  expect(windowsCommand([program, ...args], windows)).toEqual({ file: program, args });
});

// What the batch file's program gets, after cmd.exe has removed one level of ^ twice.
it.each([
  ['a blank and an operator', 'a & b'],
  ['a variable', '%PATH%'],
  ['quotes', 'say "hi"'],
  ['backslashes before a quote and at the end', 'a\\\\"b\\'],
  ['nothing', ''],
])('an argument arrives as it is, with %s', (_what, text) => {
  const [, , , line = ''] = windowsCommand(['npx', text], windows).args;
  const read = (once: string) => once.replaceAll(/\^(.)/g, '$1');
  expect(parse(read(read(line.slice('"npx '.length, -1))))).toBe(text);
});

/** One quoted argument, as the C run-time library of Windows reads it. */
function parse(quoted: string): string {
  expect(quoted).toMatch(/^"(?:[^"\\]|\\.)*"$/);
  return quoted
    .slice(1, -1)
    .replaceAll(/(\\+)"/g, (_all, slashes: string) => `${slashes.slice(0, slashes.length / 2)}"`)
    .replace(/\\+$/, (slashes) => slashes.slice(slashes.length / 2));
}
