const BLOCK_BYTES = 512;

/** One entry of an image's file system. Paths are absolute. */
export interface TarEntry {
  path: string;
  /** The content of a regular file. Without it the entry is a link if `linkTo` is set, otherwise a folder. */
  content?: Buffer;
  linkTo?: string;
  /** Permission bits; the default is 0755 for folders and 0644 for files. */
  mode?: number;
}

/** Writes a POSIX ustar archive. All entries belong to root and have no timestamps, so the output is reproducible. */
export function createTar(entries: TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => [header(entry), ...body(entry)]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)]);
}

/** The entries plus every missing parent folder, parents first, without duplicates. */
export function withParents(entries: TarEntry[]): TarEntry[] {
  const known = new Set(entries.map((entry) => entry.path));
  const parents = new Set<string>();
  for (const { path } of entries) {
    const parts = path.split('/').slice(1, -1);
    for (let depth = 1; depth <= parts.length; depth += 1) parents.add(`/${parts.slice(0, depth).join('/')}`);
  }
  const missing = [...parents].filter((path) => !known.has(path)).map((path) => ({ path }));
  return [...missing, ...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function body(entry: TarEntry): Buffer[] {
  const content = entry.content ?? Buffer.alloc(0);
  const padding = (BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES;
  return [content, Buffer.alloc(padding)];
}

function header(entry: TarEntry): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const isFolder = !entry.content && !entry.linkTo;
  const name = `${entry.path.replace(/^\//, '')}${isFolder ? '/' : ''}`;
  if (name.length > 100)
    throw new Error(`the path is too long for a tar archive (limit: 100 characters): ${entry.path}`);
  block.write(name, 0);
  block.write(octal(entry.mode ?? (entry.content ? 0o644 : 0o755), 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(entry.content?.length ?? 0, 12), 124);
  block.write(octal(0, 12), 136);
  block.write(typeFlag(entry), 156);
  block.write(entry.linkTo ?? '', 157);
  block.write('ustar\x0000', 257);
  writeChecksum(block);
  return block;
}

function typeFlag(entry: TarEntry): string {
  if (entry.linkTo) return '2';
  return entry.content ? '0' : '5';
}

/** The checksum is the sum of all header bytes, with its own field counted as spaces (POSIX.1-1988). */
function writeChecksum(block: Buffer): void {
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
}

function octal(value: number, width: number): string {
  return value.toString(8).padStart(width - 1, '0');
}
