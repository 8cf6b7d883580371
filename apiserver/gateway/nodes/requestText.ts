import { authorityOf } from '../../../core/lib/authority.ts';
import type { Upstream } from '../deps.ts';

/** A request to a node. Its body is sent whole. */
export interface NodeRequest {
  upstream: Upstream;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | undefined;
}

/** Of all calls of JSON-RPC: one object, whose text is kept. */
export const jsonHeaders = { 'content-type': 'application/json' };

const path = /^[\x21-\x7e\x80-\xff]+$/;
const name = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;
const withBody = /^(POST|PUT|PATCH)$/;

/** By their object. */
const texts = new WeakMap<NodeRequest['headers'], string>();

/** The head of the request, one character per byte. Throws if a value could end its line. */
export function requestHead({ upstream, method, path: target, headers, body }: NodeRequest): string {
  if (!name.test(method) || !path.test(target)) throw new Error('the request line is not valid');
  const length = body?.length ?? (withBody.test(method) ? 0 : undefined);
  const lengthField = length === undefined ? '' : `content-length: ${length}\r\n`;
  const line = `${method} ${target} HTTP/1.1\r\nhost: ${authorityOf(upstream)}\r\nconnection: keep-alive\r\n`;
  return `${line}${fieldsOf(headers)}${lengthField}\r\n`;
}

function fieldsOf(headers: NodeRequest['headers']): string {
  const known = texts.get(headers);
  if (known !== undefined) return known;
  const lines = Object.entries(headers).map(([field, text]) => {
    if (!name.test(field) || !value.test(text)) throw new Error('a header field is not valid');
    return `${field}: ${text}\r\n`;
  });
  const text = lines.join('');
  texts.set(headers, text);
  return text;
}
