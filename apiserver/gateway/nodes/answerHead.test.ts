import { growthOf, tooMuchGrowth } from '../../../core/lib/testing/growth.ts';
import { parseAnswerHead } from './answerHead.ts';

const parse = (...lines: string[]) => parseAnswerHead(lines.join('\r\n'));

describe('the head of an answer', () => {
  it('has its status, its fields by names in lower case, and repeated ones in order', () => {
    const head = parse(
      'HTTP/1.1 404 Not Found',
      'Content-Type:  text/plain ',
      'Set-Cookie: a',
      'SET-COOKIE: b',
      'X-None:',
    );
    expect(head.status).toBe(404);
    expect(head.headers).toEqual({ 'content-type': 'text/plain', 'set-cookie': ['a', 'b'], 'x-none': '' });
  });

  it('takes names that objects have for names like others', () => {
    const { headers } = parse('HTTP/1.1 200 OK', 'constructor: a', 'toString: b');
    expect({ ...headers }).toEqual({ constructor: 'a', tostring: 'b' });
  });

  it.each([
    ['a length', ['Content-Length: 12'], 12],
    ['chunks', ['Transfer-Encoding: Chunked'], 'chunked'],
    ['the end of the connection', [], 'untilClose'],
  ])('says that %s bounds the body', (_name, lines, length) => {
    expect(parse('HTTP/1.1 200', ...lines).length).toBe(length);
  });

  it.each([
    ['1.1 keeps it', ['HTTP/1.1 200 OK'], true],
    ['1.1 with "close" does not', ['HTTP/1.1 200 OK', 'Connection: keep-alive, Close'], false],
    ['1.0 does not', ['HTTP/1.0 200 OK', 'Connection: keep-alive'], false],
  ])('says whether the connection stays: %s', (_reason, lines, isKept) => {
    expect(parse(...lines).isKept).toBe(isKept);
  });

  it.each(['a:\r\n', 'a: b\r\n', 'connection: ,\r\n', 'connection: \t \t\r\n'])(
    'with many fields %j is read in linear time',
    (field) => {
      const textOf = (length: number) => `HTTP/1.1 200\r\n${field.repeat(length / field.length)}x: y`;
      expect(growthOf((length) => () => parseAnswerHead(textOf(length)))).toBeLessThan(tooMuchGrowth);
    },
  );

  it.each([
    ['no status line', ['200 OK']],
    ['another protocol', ['HTTP/2 200 OK']],
    ['a status with four digits', ['HTTP/1.1 2000 OK']],
    ['a status that does not exist', ['HTTP/1.1 600 Odd']],
    ['a folded line', ['HTTP/1.1 200 OK', 'X: a', ' b']],
    ['a space before the colon', ['HTTP/1.1 200 OK', 'Content-Length : 1']],
    ['a field without a colon', ['HTTP/1.1 200 OK', 'Content-Length']],
    ['a field without a name', ['HTTP/1.1 200 OK', ': 1']],
    ['a bare LF', ['HTTP/1.1 200 OK', 'X: a\nContent-Length: 1']],
    ['a bare CR', ['HTTP/1.1 200 OK', 'X: a\rContent-Length: 1']],
    ['a NUL', ['HTTP/1.1 200 OK', 'X: a\0']],
    ['two lengths', ['HTTP/1.1 200 OK', 'Content-Length: 1', 'Content-Length: 2']],
    ['the same length twice', ['HTTP/1.1 200 OK', 'Content-Length: 1', 'Content-Length: 1']],
    ['a length with a sign', ['HTTP/1.1 200 OK', 'Content-Length: +1']],
    ['a length in another base', ['HTTP/1.1 200 OK', 'Content-Length: 0x1']],
    ['an empty length', ['HTTP/1.1 200 OK', 'Content-Length:']],
    ['a length beside chunks', ['HTTP/1.1 200 OK', 'Content-Length: 1', 'Transfer-Encoding: chunked']],
    ['another coding', ['HTTP/1.1 200 OK', 'Transfer-Encoding: gzip, chunked']],
    ['a coding twice', ['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['a name that changes the object', ['HTTP/1.1 200 OK', '__proto__: x']],
  ])('is refused with %s', (_reason, lines) => {
    expect(() => parse(...lines)).toThrow('not valid HTTP/1.1');
  });
});
