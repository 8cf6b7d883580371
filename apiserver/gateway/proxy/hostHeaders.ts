import type { IncomingHttpHeaders } from 'node:http';

/** What a proxy says of a caller, and the API's own credentials, which no service of a network may see. */
const withheld = /^x-(forwarded-|real-|original-|request-id$|api-key-(id|secret)$)/;

/**
 * The headers by which a service that signs its users in itself knows them. Cookies belong to a host name, and only its
 * own pages may use them: the names of other networks count as the same site for a browser.
 */
export function credentialsOf(headers: IncomingHttpHeaders, isHosted: boolean): [string, string][] {
  const isOwnPage = headers.origin === undefined || hostIn(headers.origin) === headers.host?.toLowerCase();
  return Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (typeof value !== 'string') return [];
    const isCustom = name.startsWith('x-') && !withheld.test(name);
    const isOwnCookie = name === 'cookie' && isHosted && isOwnPage;
    return name === 'authorization' || isCustom || isOwnCookie ? [[name, value]] : [];
  });
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
  const cookies = [headers['set-cookie'] ?? []].flat().flatMap((cookie) => ['Set-Cookie', ownCookie(cookie)]);
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
