/**
 * A message with `placeholder` instead of a URL, which may contain a key, and instead of those parts of it that may be
 * the key: programs also print them on their own.
 */
export function withoutUrl(message: string, url: string, placeholder = '[fork source]'): string {
  return secretsOf(url).reduce((rest, secret) => rest.replaceAll(secret, placeholder), message);
}

const shortestPart = 6;
/** Shorter segments of a path are words such as `mainnet`. */
const shortestSegment = 16;

function secretsOf(url: string): string[] {
  if (!URL.canParse(url)) return [url];
  const { href, pathname, search, username, password } = new URL(url);
  const parts = [`${pathname}${search}`, pathname, search.slice(1), username, password];
  const segments = pathname.split('/').filter((segment) => segment.length >= shortestSegment);
  return [url, href, ...parts.filter((part) => part.length >= shortestPart), ...segments];
}
