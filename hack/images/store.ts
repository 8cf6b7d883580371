import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachePath } from '../lib/paths.ts';

/** An image on disk: a docker-archive that contains the image's name. */
export interface BuiltImage {
  image: string;
  tar: string;
  /** The `sha256:…` digest of the image's configuration. */
  id: string;
}

/** The cached archive of `image` if it was built from inputs with this hash. */
export function cachedImage(image: string, inputHash: string): BuiltImage | undefined {
  const tar = tarPath(image, inputHash);
  try {
    return { image, tar, id: readFileSync(`${tar}.id`, 'utf8') };
  } catch {
    return undefined;
  }
}

/**
 * Adds an image to the cache and deletes older archives of the same image.
 * `write` writes the archive to the given path and returns the image's id.
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

/** The `sha256:…` id in a docker-archive's manifest. */
export function idFromManifest(manifestJson: string): string {
  const [entry] = JSON.parse(manifestJson) as { Config: string }[];
  const digest = /[0-9a-f]{64}/.exec(entry?.Config ?? '')?.[0];
  if (!digest) throw new Error('the manifest of the archive does not name an image configuration');
  return `sha256:${digest}`;
}

/** Deletes the cached archives of an image under other tags. */
export function dropOtherTags(repository: string, tag: string): void {
  const [all, kept] = [slug(`${repository}:`), slug(`${repository}:${tag}`)];
  for (const file of readdirSync(imagesFolder())) {
    if (file.startsWith(all) && !file.startsWith(kept)) rmSync(join(imagesFolder(), file));
  }
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
