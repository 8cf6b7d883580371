import type { IncomingHttpHeaders } from 'node:http';

/** No other header is forwarded to a node: not credentials, cookies, proxy headers or hop-by-hop headers. */
const toNode: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
]);
/** An application signs its users in by itself. */
const toApplication: ReadonlySet<string> = new Set([...toNode, 'authorization', 'cookie', 'if-match']);
/** Headers that proxies write. */
const ofProxies = /^x-(forwarded|real-ip|original|request-id)/;

const toCaller: ReadonlySet<string> = new Set([
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  // The result of a gRPC-Web call without a body.
  'grpc-message',
  'grpc-status',
  'last-modified',
]);

/** The headers of a request that its service gets. */
export function headersToService(
  headers: IncomingHttpHeaders,
  { isApplication = false }: { isApplication?: boolean },
): Record<string, string> {
  const isForwarded = (name: string) =>
    isApplication
      ? toApplication.has(name) || (name.startsWith('x-') && !ofProxies.test(name))
      : toNode.has(name);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && isForwarded(name) ? [[name, value]] : [],
    ),
  );
}

/** The headers of an answer that the caller gets, as pairs. `prefix`: the path of the service at the gateway. */
export function headersToCaller(
  headers: IncomingHttpHeaders,
  { isApplication = false, prefix }: { isApplication?: boolean; prefix: string },
): [string, string][] {
  const common = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && toCaller.has(name) ? [[name, value]] : [],
  );
  const cookies = isApplication ? (headers['set-cookie'] ?? []) : [];
  return [...common, ...cookies.map((cookie): [string, string] => ['Set-Cookie', scoped(cookie, prefix)])];
}

/** All services share one origin: a cookie stays with the service that set it. */
function scoped(cookie: string, prefix: string): string {
  const kept = cookie.split(';').filter((part) => !/^\s*(path|domain)\s*(=|$)/i.test(part));
  return `${kept.join(';')}; Path=${prefix}`;
}
