/** Where the version of a checkout is written, and how. */

interface Place {
  file: string;
  /** Matches each version with what is before it, which stays. */
  pattern: RegExp;
}

const number = String.raw`\d+\.\d+\.\d+`;
const place = (file: string, before: string, flags = ''): Place => ({
  file,
  pattern: new RegExp(`(${before})${number}`, flags),
});

export const versionPlaces: readonly Place[] = [
  place('package.json', '"version": "'),
  // Of the package itself, twice, at the begin of the file.
  place('package-lock.json', String.raw`^\{\s+"name": "slipway",\s+"version": "`),
  place('package-lock.json', String.raw`"": \{\s+"name": "slipway",\s+"version": "`),
  place('charts/slipway/Chart.yaml', '^version: ', 'm'),
  place('charts/slipway/Chart.yaml', '^appVersion: "', 'm'),
  place('core/version.ts', "version = '"),
  place('sdk/package.json', '"version": "'),
  place('cli/package.json', '"version": "'),
  place('docs/install.md', String.raw`registry\.example/slipway/[a-z-]+:`, 'g'),
  place('docs/install.md', '(?:releases/download/v|[ /]slipway-|/charts/slipway --version )', 'g'),
  place('docs/testing.md', 'OWNER/slipway@v', 'g'),
];

/** The versions that a text has at a place. */
export function versionsAt({ pattern }: Place, text: string): string[] {
  const all = new RegExp(pattern.source, [...new Set(`${pattern.flags}g`)].join(''));
  return [...text.matchAll(all)].map(([whole, before = '']) => whole.slice(before.length));
}

export function withVersion({ pattern }: Place, text: string, version: string): string {
  return text.replace(pattern, `$1${version}`);
}

/** The changelog with what is unreleased under the version, and nothing unreleased. */
export function releasedChangelog(text: string, version: string): string {
  return text.replace('## Unreleased\n', `## Unreleased\n\n## ${version}\n`);
}
