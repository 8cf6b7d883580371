import { idFromManifest } from '../../images/store.ts';
import { run, tryRun } from '../../lib/run.ts';
import { layout } from './setup/layout.ts';

/** An image archive on disk. */
export interface ImageArchiveFile {
  image: string;
  tar: string;
}

const kubernetesNamespace = ['--address', layout.containerdSocket, '--namespace', 'k8s.io'];

/** Imports images into the node's containerd and skips those that it already has. */
export async function importImages(archives: ImageArchiveFile[]): Promise<void> {
  for (const { image, tar } of archives) {
    const id = idFromManifest(await run('tar', ['-xOf', tar, 'manifest.json']));
    if (await hasImageInNode(image, id)) continue;
    await ctr('images', 'import', tar);
  }
}

/** True when the node has the image; with `id` (`sha256:…` of its configuration), when it is exactly this one. */
export async function hasImageInNode(image: string, id?: string): Promise<boolean> {
  const listed = await tryRun('ctr', [...kubernetesNamespace, 'images', 'list', `name==${image}`]);
  const manifest = /sha256:[0-9a-f]{64}/.exec(listed.stdout)?.[0];
  if (listed.code !== 0 || !manifest) return false;
  if (!id || id === manifest) return true;
  const content = await tryRun('ctr', [...kubernetesNamespace, 'content', 'get', manifest]);
  return content.stdout.includes(id);
}

/** True when the node's containerd responds. */
export async function isContainerdReady(): Promise<boolean> {
  return (await tryRun('ctr', [...kubernetesNamespace, 'version'], { timeoutMs: 5000 })).code === 0;
}

function ctr(...args: string[]): Promise<string> {
  return run('ctr', [...kubernetesNamespace, ...args], { remedy: `see ${layout.logs}/containerd/current` });
}
