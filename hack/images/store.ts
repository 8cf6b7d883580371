import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachePath } from '../lib/paths.ts';

/** An image as a file: a docker-archive that carries its own name. */
export interface BuiltImage {
  image: string;
  tar: string;
  /** `sha256:…` of the image's configuration. */
  id: string;
}

/** What the cache holds for `image` when it was made from inputs with this hash. */
export function cachedImage(image: string, inputHash: string): BuiltImage | undefined {
  const tar = tarPath(image, inputHash);
  try {
    return { image, tar, id: readFileSync(`${tar}.id`, 'utf8') };
  } catch {
    return undefined;
  }
}

/**
 * Puts an image into the cache and drops what it held for the same image from other inputs.
 * `write` fills the archive at the path it is given and answers the image's id.
 */
export async function storeImage(
  image: string,
  inputHash: string,
  write: (tar: string) => Promise<string>,
): Promise<BuiltImage> {
  const tar = tarPath(image, inputHash);
  const draft = `${tar}.${process.pid}.new`;
  mkdirSync(imagesFolder(), { recursive: true });
  try {
    const id = await write(draft);
    renameSync(draft, tar);
    writeFileSync(`${tar}.id.new`, id);
    renameSync(`${tar}.id.new`, `${tar}.id`);
    dropOthers(image, tar);
    return { image, tar, id };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The `sha256:…` id that a docker-archive's manifest names. */
export function idFromManifest(manifestJson: string): string {
  const [entry] = JSON.parse(manifestJson) as { Config: string }[];
  const digest = /[0-9a-f]{64}/.exec(entry?.Config ?? '')?.[0];
  if (!digest) throw new Error('the archive names no image configuration');
  return `sha256:${digest}`;
}

function dropOthers(image: string, kept: string): void {
  for (const file of readdirSync(imagesFolder())) {
    const path = join(imagesFolder(), file);
    if (file.startsWith(`${slug(image)}@`) && !path.startsWith(kept)) rmSync(path, { force: true });
  }
}

function tarPath(image: string, inputHash: string): string {
  return join(imagesFolder(), `${slug(image)}@${inputHash.slice(0, 16)}.tar`);
}

function imagesFolder(): string {
  return cachePath('images');
}

function slug(image: string): string {
  return image.replace(/[^a-zA-Z0-9.-]+/g, '_');
}
