import { cutMark } from './foreignText.ts';

/** What is shorter is not a secret, and would be found everywhere. */
const shortestText = 6;
/** Shorter segments of a path are words such as `mainnet`. */
const shortestSegment = 16;

/**
 * A message with `placeholder` instead of a URL, which may contain a key, and instead of those parts of it that may be
 * the key: programs also print them on their own.
 */
export function withoutUrl(message: string, url: string, placeholder = '[fork source]'): string {
  return withoutTexts(message, partsOf(url), placeholder);
}

/** A message with `placeholder` instead of texts that are secret. One that was cut may end with the beginning of such a text. */
export function withoutTexts(message: string, secrets: readonly string[], placeholder: string): string {
  return secrets
    .filter((secret) => secret.length >= shortestText)
    .reduce(
      (rest, secret) => withoutBeginning(rest.replaceAll(secret, placeholder), secret, placeholder),
      message,
    );
}

/** Without what is left of a secret before the mark of a cut. */
function withoutBeginning(message: string, secret: string, placeholder: string): string {
  const end = message.lastIndexOf(cutMark);
  for (let length = Math.min(end, secret.length - 1); length >= shortestText; length--) {
    if (!message.endsWith(secret.slice(0, length), end)) continue;
    return `${message.slice(0, end - length)}${placeholder}${message.slice(end)}`;
  }
  return message;
}

function partsOf(url: string): string[] {
  if (!URL.canParse(url)) return [url];
  const { href, pathname, search, username, password } = new URL(url);
  const segments = pathname.split('/').filter((segment) => segment.length >= shortestSegment);
  return [url, href, `${pathname}${search}`, pathname, search.slice(1), username, password, ...segments];
}
