import { cut } from './text/foreignText.ts';

/**
 * What must never appear in a log, even if an error message of a library quotes it, and its replacement. If a text was cut in
 * the middle of a secret, what is left of it before the mark is replaced.
 */
const patterns: readonly [RegExp, string][] = [
  // The access key in the URL of a network.
  [
    /(\/rpc\/[A-Za-z0-9-]{1,64}\/)(?:[A-Za-z0-9_-]{24}(?![A-Za-z0-9_-])|[A-Za-z0-9_-]{1,23}(?=…))/g,
    '$1(redacted)',
  ],
  // The key in the host name of a service.
  [/\b([a-z][a-z0-9-]{0,8}-[0-9a-f]{32}-)(?:[a-z2-7]{20}(?=\.)|[a-z2-7]{1,20}(?=…))/g, '$1(redacted)'],
  // The token in the URL from which the engine of a fork reads, or the sealed URL of its workspace's source.
  [
    /(\/forks\/[A-Za-z0-9]{1,32}\/(?:[a-z0-9-]{1,63}\/)?[A-Za-z0-9-]{1,64}\/(?:own\/)?)(?:[A-Za-z0-9_-]{24,}|[A-Za-z0-9_-]{1,23}(?=…))/g,
    '$1(redacted)',
  ],
  // Sealed data; the version and the id of the key stay.
  [/(slipway:v\d+:[A-Za-z0-9_-]+:)[A-Za-z0-9_:-]+/g, '$1(redacted)'],
  // Credentials of a request.
  [/\b(Bearer|Basic) [A-Za-z0-9._~+/=-]+/gi, '$1 (redacted)'],
  // User and password in a URL. Its scheme is not looked at: a search for its beginning would start at every letter.
  [/(:\/\/)[^\s/@"]+(@|…)/g, '$1(redacted)$2'],
];

/** What every match contains. Most texts contain none of it, and one search is enough. */
const suspicious = /\/rpc\/|\/forks\/|slipway:v|bearer |basic |:\/\/|-[0-9a-f]{32}-/i;

/** A text that may be anything, for a message or a log line: cut, and without access keys, sealed data and credentials. */
export function redact(text: string): string {
  return redactBounded(cut(text));
}

/** The same for a text whose length is bounded already; nothing is cut. */
export function redactBounded(text: string): string {
  if (!suspicious.test(text)) return text;
  return patterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}
