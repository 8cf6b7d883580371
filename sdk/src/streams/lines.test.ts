import { linesOf } from './lines.ts';

/** The lines of a text that comes in parts. */
async function read(parts: readonly string[]): Promise<string[]> {
  async function* stream() {
    yield* parts;
  }
  const lines: string[] = [];
  for await (const line of linesOf(stream())) lines.push(line);
  return lines;
}

it.each([
  ['whole lines', ['one\ntwo\n'], ['one', 'two']],
  ['a line in parts', ['o', 'n', 'e\ntw', 'o\n'], ['one', 'two']],
  ['empty lines', ['\n', '\n\n'], ['', '', '']],
  ['a last line without an end', ['one\nt', 'wo'], ['one', 'two']],
  ['nothing', [], []],
])('yields %s', async (_what, parts, lines) => {
  expect(await read(parts)).toEqual(lines);
});

it('looks at each part of a long line once', async () => {
  const parts = Array<string>(200_000).fill('x'.repeat(100));
  const startMs = performance.now();
  const [line] = await read([...parts, '\n']);
  expect(line).toHaveLength(20_000_000);
  // Looking at all of it again for each part takes minutes.
  expect(performance.now() - startMs).toBeLessThan(10_000);
});
