import { createAnswerBody } from './answerBody.ts';
import type { BodyLength } from './answerHead.ts';

/** Reads `text` in pieces, and what is left after the body. */
function read(length: BodyLength, pieces: string[]) {
  const body = createAnswerBody(length);
  const parts: string[] = [];
  for (const [index, piece] of pieces.entries()) {
    const bytes = Buffer.from(`--${piece}`);
    const { part, end } = body.read(bytes, 2);
    if (part) parts.push(part.toString());
    if (end !== undefined)
      return { text: parts.join(''), rest: bytes.toString('latin1', end) + pieces.slice(index + 1).join('') };
  }
  return { text: parts.join(''), rest: undefined };
}

const chunked = '5;name="x"\r\nhello\r\nA\r\n, chunked \r\n0\r\nTrailer: dropped\r\n\r\n';

describe('the body of an answer', () => {
  it.each([
    ['of a length', 15 as const, 'hello, chunked '],
    ['in chunks', 'chunked' as const, chunked],
  ])('%s is the same wherever its bytes are cut', (_name, length, text) => {
    const cuts = Array.from({ length: text.length + 1 }, (_, at) => [
      text.slice(0, at),
      `${text.slice(at)}next`,
    ]);
    for (const pieces of [...cuts, [...`${text}next`]])
      expect(read(length, pieces)).toEqual({ text: 'hello, chunked ', rest: 'next' });
  });

  it('without a length goes on until the connection ends', () => {
    expect(read('untilClose', ['a', 'b'])).toEqual({ text: 'ab', rest: undefined });
    expect(createAnswerBody('untilClose').endsWithConnection).toBe(true);
    expect(createAnswerBody('chunked').endsWithConnection).toBe(false);
    expect(createAnswerBody(1).endsWithConnection).toBe(false);
  });

  it.each([
    ['a size that is not a number', 'x\r\n'],
    ['a size with a sign', '-1\r\n'],
    ['a size that is missing', ';name=x\r\n'],
    ['two sizes', '1 1\r\n'],
    ['an extension with a control character', '1;a\x07\r\n'],
    ['a size line that ends with CR alone', '1\ra\r\n'],
    ['extensions that never end', `1;${'a'.repeat(5000)}`],
    ['a size that is too large', `${'f'.repeat(13)}\r\n`],
    ['a size line that never ends', '0'.repeat(5000)],
    ['a line that ends with LF alone', '1\na\r\n'],
    ['a chunk that is longer than its size', '1\r\nab\r\n'],
    ['a chunk whose end is CR alone', '1\r\na\r1\r\n'],
    ['a trailer that ends with LF alone', '0\r\na: b\n\r\n'],
    ['a trailer that is not a field', '0\r\nno field\r\n'],
    ['too many trailers', `0\r\n${'a: b\r\n'.repeat(100)}`],
  ])('is refused with %s', (_reason, text) => {
    expect(() => read('chunked', [text])).toThrow('not valid HTTP/1.1');
    expect(() => read('chunked', [...text])).toThrow('not valid HTTP/1.1');
  });
});
