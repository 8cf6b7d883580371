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
/** Browsers send it to all paths of the API's origin, on which applications are, too. */
const ownCookieName = /^(__Host-)?slipway-/;
/** Headers that proxies write, and the credentials of the API. */
const ofProxies = /^x-(forwarded|real-ip|original|request-id|api-key-(id|secret)$)/;

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
    Object.entries(headers).flatMap(([name, value]) => {
      const forwarded = typeof value === 'string' && isForwarded(name) ? value : undefined;
      const given = name === 'cookie' ? foreignCookies(forwarded) : forwarded;
      return given === undefined ? [] : [[name, given]];
    }),
  );
}

/** The cookies of a request that are not the API's own; undefined if none is left. */
function foreignCookies(cookies = ''): string | undefined {
  const names = cookies.split(';').map((pair) => pair.trim());
  return names.filter((pair) => !ownCookieName.test(pair)).join('; ') || undefined;
}

/** The headers of an answer that the caller gets, as pairs. `prefix`: the path of the service at the gateway. */
export function headersToCaller(
  headers: IncomingHttpHeaders,
  { isApplication = false, prefix }: { isApplication?: boolean; prefix: string },
): [string, string][] {
  const common = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && toCaller.has(name) ? [[name, value]] : [],
  );
  const cookies = isApplication ? cookiesIn(headers) : [];
  return [...common, ...cookies.map((cookie): [string, string] => ['Set-Cookie', scoped(cookie, prefix)])];
}

/** A single one comes as a text, whatever its type says. */
function cookiesIn(headers: IncomingHttpHeaders): string[] {
  return [headers['set-cookie'] ?? []].flat();
}

/** All services share one origin: a cookie stays with the service that set it. */
function scoped(cookie: string, prefix: string): string {
  const kept = cookie.split(';').filter((part) => !/^\s*(path|domain)\s*(=|$)/i.test(part));
  return `${kept.join(';')}; Path=${prefix}`;
}

/**
 * The headers of a request to a host name. Its cookies are for its own pages alone: the names of other networks count as
 * the same site for a browser.
 */
export function credentialsOnHost(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const isOwnPage = headers.origin === undefined || hostIn(headers.origin) === headers.host?.toLowerCase();
  if (isOwnPage) return headers;
  const { cookie: _withheld, ...rest } = headers;
  return rest;
}

function hostIn(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

const kept = ['content-security-policy', 'location', 'www-authenticate', 'x-frame-options'] as const;

/** What a service may tell a browser on a host name of its own. */
export function hostFields(headers: IncomingHttpHeaders): string[] {
  const given = kept.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [name, value] : [];
  });
  const cookies = cookiesIn(headers).flatMap((cookie) => ['Set-Cookie', ownCookie(cookie)]);
  // The host name has a key, which other sites must not learn.
  return ['Referrer-Policy', 'same-origin', ...given, ...cookies];
}

/** A cookie of this host name alone: with a domain, other networks would get it too. */
function ownCookie(cookie: string): string {
  const attributes = cookie.split(';').filter((attribute) => !/^\s*domain\s*(=|$)/i.test(attribute));
  const hasSameSite = attributes.some((attribute) => /^\s*samesite\s*=/i.test(attribute));
  return [...attributes, ...(hasSameSite ? [] : [' SameSite=Lax'])].join(';');
}

/** Whether a redirect stays on the host name. */
export function isOwnPath(location: string | undefined): boolean {
  return location !== undefined && /^\/(?![/\\])/.test(location);
}
