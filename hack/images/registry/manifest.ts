import { createHash } from 'node:crypto';
import type { RepositoryClient } from './client.ts';

export const manifestType = 'application/vnd.oci.image.manifest.v1+json';

/** The manifest of an image or a chart, as a registry has it. */
export interface Manifest {
  /** `sha256:…` of the manifest itself. */
  digest: string;
  /** `sha256:…` of the configuration, which names all layers. */
  config: string | undefined;
  annotations: Readonly<Record<string, string>>;
}

/** The manifest of a tag; undefined when the registry has none, or shows it to nobody without a login. */
export async function readManifest(client: RepositoryClient, tag: string): Promise<Manifest | undefined> {
  const headers = { Accept: manifestType };
  // Registries that create repositories on a push may refuse to look into one that is not there.
  const answer = await client.send('GET', `manifests/${tag}`, { headers, accepted: [401, 403, 404] });
  if (!answer.ok) return undefined;
  const text = await answer.text();
  const { config, annotations = {} } = JSON.parse(text) as {
    config?: { digest: string };
    annotations?: Record<string, string>;
  };
  return { digest: digestOf(text), config: config?.digest, annotations };
}

export function digestOf(manifest: string): string {
  return `sha256:${createHash('sha256').update(manifest).digest('hex')}`;
}
