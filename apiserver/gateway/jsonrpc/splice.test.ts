import { createSplicer } from './splice.ts';

const refused = (id: number) => ({ refusal: `{"id":${id},"error":{}}` });
const asked = (id: number) => ({ id: String(id) });
const error = (id: number) => ({ id, error: {} });
const result = (id: number) => ({ id, result: { text: ']},{["\\"' } });

const table: [string, Parameters<typeof createSplicer>[0], unknown, unknown][] = [
  ['first', [refused(1), asked(2)], [result(2)], [error(1), result(2)]],
  ['last', [asked(1), refused(2)], [result(1)], [result(1), error(2)]],
  [
    'between the others',
    [asked(1), refused(2), refused(3), asked(4)],
    [result(1), result(4)],
    [result(1), error(2), error(3), result(4)],
  ],
  [
    'if the node answers with one object',
    [refused(1), asked(2), refused(3)],
    result(2),
    [error(1), result(2), error(3)],
  ],
  ['if the node answers fewer calls', [asked(1), asked(2), refused(3)], [result(1)], [result(1), error(3)]],
  [
    'if the node answers more calls',
    [asked(1), refused(2)],
    [result(1), result(3)],
    [result(1), error(2), result(3)],
  ],
  ['if the node answers nothing', [refused(1), asked(2)], undefined, [error(1)]],
  ['if the node answers with an empty array', [asked(1), refused(2)], [], [error(2)]],
];

describe.each([1, 7, 10_000])('in parts of %d bytes', (size) => {
  it.each(table)('places refusals %s', (_where, answers, answered, expected) => {
    const text = Buffer.from(answered === undefined ? '' : ` ${JSON.stringify(answered, null, 1)} \n`);
    const splicer = createSplicer(answers);
    const parts: Buffer[] = [];
    for (let at = 0; at < text.length; at += size) parts.push(...splicer.push(text.subarray(at, at + size)));
    parts.push(...splicer.end());
    expect(JSON.parse(Buffer.concat(parts).toString())).toEqual(expected);
  });
});
