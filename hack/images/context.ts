import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

interface IgnoreRule {
  pattern: string;
  /** Matches the paths that the pattern names and everything below them. */
  matcher: RegExp;
  isException: boolean;
}

/** Hash of the names, permissions and contents of all files in the build context, as filtered by .dockerignore. */
export function hashContext(folder: string): string {
  const hash = createHash('sha256');
  for (const path of listContext(folder)) {
    const file = join(folder, path);
    const stat = lstatSync(file);
    hash.update(`${path}\0${stat.mode & 0o777}\0`);
    hash.update(stat.isSymbolicLink() ? readlinkSync(file) : readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** The sorted paths of the context's files, relative to `folder`. */
export function listContext(folder: string): string[] {
  const ignoreFile = join(folder, '.dockerignore');
  const rules = existsSync(ignoreFile) ? parseIgnore(readFileSync(ignoreFile, 'utf8')) : [];
  return walk(folder, '', rules).sort();
}

function walk(root: string, below: string, rules: IgnoreRule[]): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below ? `${below}/${entry.name}` : entry.name;
    if (!entry.isDirectory()) return isIgnored(path, rules) ? [] : [path];
    const isPruned = isIgnored(path, rules) && !rules.some((rule) => mayKeepBelow(path, rule));
    return isPruned ? [] : walk(root, path, rules);
  });
}

/** Parses .dockerignore: one pattern per line, `!` makes an exception, the last matching line wins. */
export function parseIgnore(text: string): IgnoreRule[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const isException = line.startsWith('!');
      const pattern = line.replace(/^!/, '').replace(/^\//, '').replace(/\/$/, '');
      return { isException, pattern, matcher: globMatcher(pattern) };
    });
}

/** True when the last rule that matches the path or one of its parent folders is not an exception. */
export function isIgnored(path: string, rules: IgnoreRule[]): boolean {
  const rule = rules.findLast(({ matcher }) => matcher.test(path));
  return rule !== undefined && !rule.isException;
}

function mayKeepBelow(folder: string, rule: IgnoreRule): boolean {
  return rule.isException && (rule.pattern.startsWith(`${folder}/`) || rule.pattern.includes('**'));
}

/** Docker's globs: `**` matches any number of folders, `*` and `?` never match a slash; dot files are not special. */
function globMatcher(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/?|\*|\?|[.+^${}()|[\]\\]/g, (token) => {
    if (token.startsWith('**')) return '.*';
    if (token === '*') return '[^/]*';
    return token === '?' ? '[^/]' : `\\${token}`;
  });
  return new RegExp(`^${source}(/.*)?$`);
}
