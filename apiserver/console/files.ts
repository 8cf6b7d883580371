import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** How a body is encoded on its way, the better one first. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** The endings of the compressed files that the build writes beside each file. */
export const encodedEndings: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

/** One file of the console. */
export interface ConsoleFile {
  contentType: string;
  body: Buffer;
  encoded: Partial<Record<Encoding, Buffer>>;
}

/** The page, and what it loads by their paths in the address. */
export interface ConsoleFiles {
  page: ConsoleFile;
  assets: ReadonlyMap<string, ConsoleFile>;
  /** The documentation, by what follows `/guide/` in the address. */
  guide: ReadonlyMap<string, ConsoleFile>;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.webp': 'image/webp',
  '.yaml': 'text/plain; charset=utf-8',
};

/** Reads the built console into memory; undefined where it was not built. */
export function readConsole(folder: string): ConsoleFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  return {
    page: readFile(join(folder, 'index.html')),
    assets: readFolder(join(folder, 'assets'), (name) => `/assets/${name}`),
    guide: readFolder(join(folder, 'guide'), (name) => name.replace(/^index\.html$|\.html$/, '')),
  };
}

function readFolder(folder: string, addressOf: (name: string) => string): Map<string, ConsoleFile> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder).filter((name) => extname(name) in contentTypes);
  return new Map(names.map((name) => [addressOf(name), readFile(join(folder, name))]));
}

function readFile(path: string): ConsoleFile {
  const compressed = encodings.map((encoding) => [encoding, path + encodedEndings[encoding]] as const);
  return {
    contentType: contentTypes[extname(path)] ?? 'application/octet-stream',
    body: readFileSync(path),
    encoded: Object.fromEntries(
      compressed
        .filter(([, file]) => existsSync(file))
        .map(([encoding, file]) => [encoding, readFileSync(file)]),
    ),
  };
}
