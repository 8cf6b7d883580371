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
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads the built console into memory; undefined where it was not built. */
export function readConsole(folder: string): ConsoleFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const names = readdirSync(join(folder, 'assets')).filter((name) => extname(name) in contentTypes);
  return {
    page: readFile(join(folder, 'index.html')),
    assets: new Map(names.map((name) => [`/assets/${name}`, readFile(join(folder, 'assets', name))])),
  };
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
