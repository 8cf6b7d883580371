import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createArchive, type ImageConfig } from './archive.ts';
import { type BuiltImage, cachedImage, storeImage } from './store.ts';
import type { TarEntry } from './tar.ts';

export interface ScratchImage extends ImageConfig {
  /** The name with the tag: `localhost/slipway/coredns:v1.15.0`. */
  image: string;
  files: TarEntry[];
}

/** Builds an image that contains only the given files, or takes it from the cache. */
export async function buildScratchImage(spec: ScratchImage): Promise<BuiltImage> {
  const inputHash = hashOf(spec);
  const cached = cachedImage(spec.image, inputHash);
  if (cached) return cached;
  return storeImage(spec.image, inputHash, async (tar) => {
    const archive = createArchive(spec.image, spec.files, spec);
    writeFileSync(tar, archive.tar);
    return archive.id;
  });
}

/** A file from this machine at a path in the image. */
export function fileEntry(path: string, source: string, mode = 0o755): TarEntry {
  return { path, content: readFileSync(source), mode };
}

/** A small file with the given text. */
export function textEntry(path: string, text: string): TarEntry {
  return { path, content: Buffer.from(text) };
}

function hashOf(spec: ScratchImage): string {
  const { files, ...rest } = spec;
  const hash = createHash('sha256').update(JSON.stringify(rest));
  for (const { content, ...facts } of files) {
    hash.update(JSON.stringify(facts)).update(content ?? '');
  }
  return hash.digest('hex');
}
