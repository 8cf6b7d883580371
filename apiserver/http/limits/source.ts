import { AsyncLocalStorage } from 'node:async_hooks';
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
    const direct = socket.remoteAddress ?? '';
    if (trustedProxies === 0) return networkOf(direct);
    const forwarded = headers['x-forwarded-for'];
    const hops = [forwarded].flat().join(',').split(',');
    return networkOf(hops.at(-trustedProxies)?.trim() || direct);
  };
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
