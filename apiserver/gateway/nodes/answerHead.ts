import type { IncomingHttpHeaders } from 'node:http';

/** The status line and the header fields of an answer over HTTP/1.1 (RFC 9112). */
export interface AnswerHead {
  status: number;
  /** Names in lower case; the values of a repeated field as an array. */
  headers: IncomingHttpHeaders;
  /** Where its body ends, unless there is none for another reason. */
  length: BodyLength;
  /** Whether the connection can take another request after the body. */
  isKept: boolean;
}

/** A number of bytes, chunks, or all until the connection ends. */
export type BodyLength = number | 'chunked' | 'untilClose';

/** The status line and the fields, each a token, a colon and printable characters. Nothing in it can be read in two ways. */
const wholeHead =
  /^HTTP\/1\.[01] [1-5]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?(?:\r\n[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*)*$/;
const closes = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;

/**
 * Parses the text (one character per byte) before the empty line. Throws for all that two readers may understand in two ways: a
 * line that is folded or has no name, a bare CR or LF, two lengths, a length beside chunks, another coding than chunks.
 */
export function parseAnswerHead(text: string): AnswerHead {
  if (!wholeHead.test(text)) throw malformed('status line or header field');
  const headers: Record<string, string | string[]> = {};
  for (let at = text.indexOf('\r\n'); at !== -1; ) {
    const end = text.indexOf('\r\n', at + 2);
    const colon = text.indexOf(':', at + 2);
    const name = text.slice(at + 2, colon).toLowerCase();
    addField(headers, name, text.slice(colon + 1, end === -1 ? undefined : end).trim());
    at = end;
  }
  const isKept =
    text[7] === '1' && (headers.connection === undefined || !closes.test(joined(headers.connection)));
  return { status: Number(text.slice(9, 12)), headers, length: lengthOf(headers), isKept };
}

function addField(headers: Record<string, string | string[]>, name: string, value: string): void {
  if (name === '__proto__') throw malformed('header field');
  const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (Array.isArray(before)) before.push(value);
  else headers[name] = before === undefined ? value : [before, value];
}

function lengthOf(headers: Record<string, string | string[]>): BodyLength {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (coding !== undefined) {
    const isChunked = length === undefined && joined(coding).toLowerCase() === 'chunked';
    if (!isChunked) throw malformed('Transfer-Encoding');
    return 'chunked';
  }
  if (length === undefined) return 'untilClose';
  if (typeof length !== 'string' || !/^\d{1,15}$/.test(length)) throw malformed('Content-Length');
  return Number(length);
}

function joined(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

/** An answer that is not HTTP/1.1, or not clearly. */
export function malformed(part: string): Error {
  return new Error(`the node answered with a ${part} that is not valid HTTP/1.1`);
}
