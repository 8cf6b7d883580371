import { existsSync } from 'node:fs';
import { idFromManifest } from '../images/store.ts';
import { run, tryRun } from '../lib/run.ts';
import { layout } from './setup/layout.ts';
import { workerPlaces } from './setup/place.ts';
import { socketOf } from './workers/scripts.ts';

/** An image archive on disk. */
export interface ImageArchiveFile {
  image: string;
  tar: string;
}

const bound = (socket: string) => ['--address', socket, '--namespace', 'k8s.io'];

/** Imports images into the containerd of each node and skips those that it already has. A node that is off gets them when it is started again. */
export async function importImages(archives: ImageArchiveFile[]): Promise<void> {
  const sockets = await containerdSockets();
  for (const { image, tar } of archives) {
    const id = idFromManifest(await run('tar', ['-xOf', tar, 'manifest.json']));
    for (const socket of sockets) {
      if (await hasImage(socket, image, id)) continue;
      await ctr(socket, 'images', 'import', tar);
    }
  }
}

/** True when all nodes have the image; with `id` (`sha256:…` of its configuration), when it is exactly this one. */
export async function hasImageInNode(image: string, id?: string): Promise<boolean> {
  for (const socket of await containerdSockets()) {
    if (!(await hasImage(socket, image, id))) return false;
  }
  return true;
}

/** Copies the images that the first node has and another one lacks. */
export async function copyImages(socket: string): Promise<void> {
  const there = await imagesOf(socket);
  for (const [name, digest] of await imagesOf(layout.containerdSocket)) {
    if (there.get(name) === digest) continue;
    const script =
      'ctr --address "$1" -n k8s.io images export - "$3" | ctr --address "$2" -n k8s.io images import -';
    await run('sh', ['-ec', script, 'copy', layout.containerdSocket, socket, name]);
  }
}

/** Names and digests in the output of `ctr images list`, without those that containerd derives from others. */
export function parseImages(listed: string): Map<string, string> {
  const rows = listed
    .split('\n')
    .slice(1)
    .map((line) => line.split(/\s+/));
  return new Map(
    rows.flatMap(([name = '', _type, digest = '']) =>
      name === '' || name.startsWith('sha256:') || name.includes('@sha256:') ? [] : [[name, digest]],
    ),
  );
}

/** True when the node's containerd responds. */
export async function isContainerdReady(socket: string = layout.containerdSocket): Promise<boolean> {
  return (await tryRun('ctr', [...bound(socket), 'version'], { timeoutMs: 5000 })).code === 0;
}

async function imagesOf(socket: string): Promise<Map<string, string>> {
  return parseImages(await ctr(socket, 'images', 'list'));
}

async function hasImage(socket: string, image: string, id?: string): Promise<boolean> {
  const listed = await tryRun('ctr', [...bound(socket), 'images', 'list', `name==${image}`]);
  const manifest = /sha256:[0-9a-f]{64}/.exec(listed.stdout)?.[0];
  if (listed.code !== 0 || !manifest) return false;
  if (!id || id === manifest) return true;
  const content = await tryRun('ctr', [...bound(socket), 'content', 'get', manifest]);
  return content.stdout.includes(id);
}

/** Of the first node, which must be on, and of the others that are. */
async function containerdSockets(): Promise<string[]> {
  const sockets = workerPlaces.map(socketOf).filter((socket) => existsSync(socket));
  const isReady = await Promise.all(sockets.map((socket) => isContainerdReady(socket)));
  return [layout.containerdSocket, ...sockets.filter((_socket, index) => isReady[index])];
}

function ctr(socket: string, ...args: string[]): Promise<string> {
  return run('ctr', [...bound(socket), ...args], { remedy: `see ${layout.logs}/containerd/current` });
}
