import { createHash } from 'node:crypto';
import { createTar, type TarEntry, withParents } from './tar.ts';

/** The runtime configuration of an image. */
export interface ImageConfig {
  entrypoint?: string[];
  command?: string[];
  env?: string[];
  /** The user, or user and group: `65532:65532`. */
  user?: string;
  workingDirectory?: string;
}

export interface ImageArchive {
  /** A docker-archive, which `docker load` and containerd can read. */
  tar: Buffer;
  /** The `sha256:…` digest of the image's configuration, which container engines call the image id. */
  id: string;
}

const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Creates a single-layer image without a container engine. `name` includes the tag. */
export function createArchive(name: string, files: TarEntry[], config: ImageConfig): ImageArchive {
  const layer = createTar(withParents(files));
  const layerDigest = sha256(layer);
  const configJson = Buffer.from(JSON.stringify(imageConfiguration(config, layerDigest)));
  const id = sha256(configJson);
  const manifest = [{ Config: `${id}.json`, RepoTags: [name], Layers: [`${layerDigest}/layer.tar`] }];
  const tar = createTar([
    { path: `/${id}.json`, content: configJson },
    { path: `/${layerDigest}` },
    { path: `/${layerDigest}/layer.tar`, content: layer },
    { path: '/manifest.json', content: Buffer.from(JSON.stringify(manifest)) },
  ]);
  return { tar, id: `sha256:${id}` };
}

/** The image configuration, as defined by the OCI image specification. */
function imageConfiguration(config: ImageConfig, layerDigest: string): object {
  return {
    created: '1970-01-01T00:00:00Z',
    architecture: architectures[process.arch] ?? process.arch,
    os: 'linux',
    config: {
      Entrypoint: config.entrypoint,
      Cmd: config.command,
      Env: config.env ?? ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      User: config.user,
      WorkingDir: config.workingDirectory,
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layerDigest}`] },
    history: [{ created: '1970-01-01T00:00:00Z', created_by: 'slipway' }],
  };
}

function sha256(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
