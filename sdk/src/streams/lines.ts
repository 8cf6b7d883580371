/** The lines of a text that comes in parts, without their ends. A part without an end of a line is not looked at again. */
export async function* linesOf(parts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let held: string[] = [];
  for await (const part of parts) {
    const [first = '', ...others] = part.split('\n');
    held.push(first);
    const last = others.pop();
    if (last === undefined) continue;
    yield held.join('');
    yield* others;
    held = [last];
  }
  const rest = held.join('');
  if (rest !== '') yield rest;
}
