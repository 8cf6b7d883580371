import { readFileSync, writeFileSync } from 'node:fs';
import { renderAddon } from '../nativeNode/addons/render.ts';
import { buildSystemImages } from '../nativeNode/images.ts';

/** Replaces each pattern; throws when one does not occur, because then the file is not what it was. */
export function replaceInFile(path: string, replacements: [string | RegExp, string][]): void {
  let text = readFileSync(path, 'utf8');
  for (const [pattern, replacement] of replacements) {
    const next = text.replace(pattern, replacement);
    if (next === text) throw new Error(`${path} does not contain ${pattern}`);
    text = next;
  }
  writeFileSync(path, text);
}

/** The default StorageClass, as on the native node. */
export async function storageManifest(): Promise<string> {
  const images = await buildSystemImages();
  return renderAddon('local-path', {
    VOLUMES_FOLDER: '/var/local-path-provisioner',
    PROVISIONER_IMAGE: images.provisioner.image,
    HELPER_IMAGE: images.helper.image,
  });
}
