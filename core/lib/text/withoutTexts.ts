import { cutMark } from './foreignText.ts';

/** What is shorter is not a secret, or tells too little of one, and would be found everywhere. */
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

/**
 * A message with `placeholder` instead of texts that are secret. Before the mark of a cut may be the beginning of such a text,
 * and after it the end of one: they are removed as well, unless they are so short that they would be found everywhere.
 */
export function withoutTexts(message: string, secrets: readonly string[], placeholder: string): string {
  return secrets
    .filter((secret) => secret.length >= shortestText)
    .reduce(
      (rest, secret) => withoutRemains(rest.replaceAll(secret, placeholder), secret, placeholder),
      message,
    );
}

/** Without what is left of a secret at the marks of cuts. */
function withoutRemains(message: string, secret: string, placeholder: string): string {
  if (!message.includes(cutMark)) return message;
  const pieces = message.split(cutMark);
  const whole = pieces.map((piece, at) => {
    const isAfterCut = at > 0;
    const isBeforeCut = at < pieces.length - 1;
    const rest = isAfterCut ? withoutEnd(piece, secret, placeholder) : piece;
    return isBeforeCut ? withoutBeginning(rest, secret, placeholder) : rest;
  });
  return whole.join(cutMark);
}

/** A text that may end with the beginning of a secret. */
function withoutBeginning(text: string, secret: string, placeholder: string): string {
  for (let length = longestRemain(text, secret); length >= shortestText; length--) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${placeholder}`;
  }
  return text;
}

/** A text that may begin with the end of a secret. */
function withoutEnd(text: string, secret: string, placeholder: string): string {
  for (let length = longestRemain(text, secret); length >= shortestText; length--) {
    if (text.startsWith(secret.slice(-length))) return `${placeholder}${text.slice(length)}`;
  }
  return text;
}

const longestRemain = (text: string, secret: string) => Math.min(text.length, secret.length - 1);

function partsOf(url: string): string[] {
  if (!URL.canParse(url)) return [url];
  const { href, pathname, search, username, password } = new URL(url);
  const segments = pathname.split('/').filter((segment) => segment.length >= shortestSegment);
  return [url, href, `${pathname}${search}`, pathname, search.slice(1), username, password, ...segments];
}
