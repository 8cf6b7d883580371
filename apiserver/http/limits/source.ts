import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** The address that a request comes from; for IPv6 its /64, which one caller has as a rule. */
export type SourceOf = (request: IncomingMessage) => string;

/**
 * `trustedProxies` proxies stand before the server, and each appends the address of its caller to X-Forwarded-For. What
 * a caller wrote into the header itself is further to the left, and is never read.
 */
export function createSourceOf(trustedProxies: number): SourceOf {
  return ({ headers, socket }) => {
    const stated = statedSource(headers[sourceHeader]);
    if (stated !== undefined) return stated;
    const direct = socket.remoteAddress ?? '';
    if (trustedProxies === 0) return networkOf(direct);
    const forwarded = headers['x-forwarded-for'];
    const hops = [forwarded].flat().join(',').split(',');
    return networkOf(hops.at(-trustedProxies)?.trim() || direct);
  };
}

const sourceHeader = 'x-slipway-source';
/** Known to this process alone, and another one in each. */
const ownMark = Buffer.from(`${randomBytes(32).toString('hex')} `);

/** The headers of a request of this process to itself on behalf of a caller at `source`. They hold a secret: send them nowhere else. */
export function headersFrom(source: string): Readonly<Record<string, string>> {
  return { [sourceHeader]: `${ownMark}${source}` };
}

/** Undefined for what another process wrote into the header. */
function statedSource(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const text = Buffer.from(header);
  const isOwn = text.length > ownMark.length && timingSafeEqual(text.subarray(0, ownMark.length), ownMark);
  return isOwn ? text.toString('utf8', ownMark.length) : undefined;
}

function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ? tail.split(':') : [])];
  return `${all.slice(0, 4).join(':')}::/64`;
}

const current = new AsyncLocalStorage<string>();

/** Runs `work`, for which `currentSource` then answers `source`. */
export function withSource<T>(source: string, work: () => T): T {
  return current.run(source, work);
}

/** The address that the request in progress comes from; an empty string outside of requests. */
export function currentSource(): string {
  return current.getStore() ?? '';
}
