import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, openAsBlob, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { run } from '../../lib/run.ts';
import { idFromManifest } from '../store.ts';
import { createClient, type RepositoryClient } from './client.ts';
import { digestOf, manifestType, readManifest } from './manifest.ts';
import { type RegistryPath, repositoryIn } from './reference.ts';

const configType = 'application/vnd.oci.image.config.v1+json';
const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip';

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

interface ImageToPush {
  /** The docker-archive. */
  tar: string;
  /** The name in the registry's path. */
  name: string;
  tag: string;
  /** What the manifest says about itself, by the names of the OCI image specification. */
  annotations?: Readonly<Record<string, string>>;
}

/**
 * Pushes a docker-archive by the registry's HTTP API, which needs no container engine, and returns the manifest's digest.
 * An image that is there already is not pushed again.
 */
export async function pushImage(registry: RegistryPath, image: ImageToPush): Promise<string> {
  const client = await createClient(registry, repositoryIn(registry, image.name));
  const present = await presentDigest(client, image);
  if (present) return present;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-push-'));
  try {
    await run('tar', ['-xf', image.tar, '-C', folder]);
    const { annotations } = image;
    const manifest = JSON.stringify({ ...(await pushParts(client, folder)), annotations });
    const headers = { 'Content-Type': manifestType };
    await client.send('PUT', `manifests/${image.tag}`, { headers, body: manifest });
    return digestOf(manifest);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The digest of the tag's manifest, if that is of the same image. */
async function presentDigest(
  client: RepositoryClient,
  { tag, tar }: ImageToPush,
): Promise<string | undefined> {
  const manifest = await readManifest(client, tag);
  if (!manifest) return undefined;
  const id = idFromManifest(await run('tar', ['-xOf', tar, 'manifest.json']));
  return manifest.config === id ? manifest.digest : undefined;
}

/** Pushes the configuration and the layers and returns the manifest of them. */
async function pushParts(client: RepositoryClient, folder: string): Promise<object> {
  const [entry] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    Config: string;
    Layers: string[];
  }[];
  if (!entry) throw new Error('the archive has no image');
  const layers: Descriptor[] = [];
  for (const layer of entry.Layers) {
    layers.push(await pushBlob(client, await compressed(join(folder, layer)), layerType));
  }
  const config = await pushBlob(client, join(folder, entry.Config), configType);
  return { schemaVersion: 2, mediaType: manifestType, config, layers };
}

/** Docker may keep layers compressed, and then saves them as they are. */
async function compressed(layer: string): Promise<string> {
  const file = await open(layer);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  await file.close();
  if (buffer[0] === 0x1f && buffer[1] === 0x8b) return layer;
  await pipeline(createReadStream(layer), createGzip({ level: 6 }), createWriteStream(`${layer}.gz`));
  return `${layer}.gz`;
}

async function pushBlob(client: RepositoryClient, path: string, mediaType: string): Promise<Descriptor> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const digest = `sha256:${hash.digest('hex')}`;
  const body = await openAsBlob(path);
  const descriptor = { mediaType, digest, size: body.size };
  const found = await client.send('HEAD', `blobs/${digest}`, { accepted: [401, 403, 404] });
  if (found.ok) return descriptor;
  const upload = await client.send('POST', 'blobs/uploads/');
  const location = new URL(upload.headers.get('Location') ?? '', upload.url);
  location.searchParams.set('digest', digest);
  const headers = { 'Content-Type': 'application/octet-stream' };
  await client.send('PUT', location.href, { headers, body });
  return descriptor;
}
