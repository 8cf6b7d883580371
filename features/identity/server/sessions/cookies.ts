import type { IncomingHttpHeaders } from 'node:http';
import type { BrowserRequest } from '../../../../apiserver/http/auth/authenticator.ts';

/** The cookie that a session is kept in, as the public URL of the installation allows. */
export interface SessionCookies {
  /** The token in the cookie; undefined without one. */
  read(headers: IncomingHttpHeaders): string | undefined;
  /** The value of Set-Cookie that keeps a token until the browser is closed or the service ends the session. */
  keep(token: string): string;
  /** The value of Set-Cookie that removes it. */
  remove(): string;
  /** Whether a page of this installation sent the request, as far as the browser tells. */
  isFromOwnPage(request: BrowserRequest): boolean;
}

const bareName = 'slipway-session';
/** Browsers accept this prefix only over TLS, for this host alone: no other host and no plain connection can set it. */
const secureName = `__Host-${bareName}`;

/** The cookies of an installation at `publicUrl`. Without TLS the cookie has no prefix, as on localhost. */
export function createSessionCookies(publicUrl: string): SessionCookies {
  const { protocol, origin } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  const name = isSecure ? secureName : bareName;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    read: (headers) => cookieNamed(headers, name),
    keep: (token) => `${name}=${token}; ${attributes}`,
    remove: () => `${name}=; Max-Age=0; ${attributes}`,
    isFromOwnPage: ({ method, headers }) => isFrom(origin, method, headers),
  };
}

/** Whether a request has a session's cookie, valid or not. */
export function hasSessionCookie(headers: IncomingHttpHeaders): boolean {
  return [secureName, bareName].some((name) => cookieNamed(headers, name) !== undefined);
}

/**
 * Fetch Metadata (https://www.w3.org/TR/fetch-metadata) where the browser sends it, else the Origin, which every browser
 * sends with writes. An address that was typed, or a program, has neither.
 */
function isFrom(origin: string, method: string | undefined, headers: IncomingHttpHeaders): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  if (site === undefined) return headers.origin === undefined ? isRead : headers.origin === origin;
  return site === 'same-origin' || (site === 'none' && isRead);
}

/** RFC 6265, section 4.2.1. Of several cookies with this name none counts: a page of another host may have set one. */
function cookieNamed({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  const values = (cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}
