import { globSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { libraryEntries } from '../images/libraries.ts';
import { buildScratchImage, fileEntry } from '../images/scratch.ts';
import type { BuiltImage } from '../images/store.ts';
import type { TarEntry } from '../images/tar.ts';
import { run } from '../lib/run.ts';
import { buildSystemImages } from '../nativeNode/images.ts';
import { requireCommand } from '../nativeNode/setup/packages.ts';
import { catalogue, type ToolName } from '../tools/catalogue.ts';
import { ensureTools } from '../tools/ensure.ts';

const { version } = catalogue.kubeadm;
const registry = 'registry.k8s.io';
export const pauseImage = `${registry}/pause:slipway`;

/** The images that kubeadm starts, under the names that it expects, and those of the default StorageClass. */
export async function nodeImages(): Promise<BuiltImage[]> {
  const tools = await ensureTools([
    ...(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'etcd'] as const),
    ...(['kubeadm', 'kubeadm-coredns'] as const),
  ]);
  const wanted = await expectedImages(tools.kubeadm);
  const parts: [string, ToolName, string][] = [
    ['kube-apiserver', 'kube-apiserver', tools['kube-apiserver']],
    ['kube-controller-manager', 'kube-controller-manager', tools['kube-controller-manager']],
    ['kube-scheduler', 'kube-scheduler', tools['kube-scheduler']],
    ['etcd', 'etcd', tools.etcd],
  ];
  const images = [];
  for (const [name, program, path] of parts) {
    const files = [fileEntry(`/usr/local/bin/${program}`, path), { path: '/tmp', mode: 0o1777 }];
    images.push(await buildScratchImage({ image: nameOf(wanted, name), files }));
  }
  const coredns = [fileEntry('/coredns', tools['kubeadm-coredns'])];
  images.push(
    await buildScratchImage({ image: nameOf(wanted, 'coredns'), files: coredns, entrypoint: ['/coredns'] }),
    await buildScratchImage({
      image: nameOf(wanted, 'kube-proxy'),
      files: await proxyFiles(tools['kube-proxy']),
    }),
    await pause(),
  );
  const { provisioner, helper } = await buildSystemImages();
  return [...images, provisioner, helper];
}

async function expectedImages(kubeadm: string): Promise<string[]> {
  const list = await run(kubeadm, ['config', 'images', 'list', '--kubernetes-version', version]);
  return list.trim().split('\n');
}

function nameOf(wanted: string[], name: string): string {
  const found = wanted.find((image) => image.includes(`/${name}:`));
  if (!found) throw new Error(`kubeadm does not name an image of ${name}`);
  return found;
}

/** kube-proxy with the machine's own iptables and what that needs. */
async function proxyFiles(proxy: string): Promise<TarEntry[]> {
  const iptables = realpathSync(requireCommand('iptables'));
  const programs = [iptables, requireCommand('conntrack')];
  const modules = globSync('/usr/lib/*-linux-gnu/xtables/*.so');
  const links = ['iptables', 'ip6tables'].flatMap((name) =>
    ['', '-save', '-restore'].map((suffix) => `${name}${suffix}`),
  );
  return [
    fileEntry('/usr/local/bin/kube-proxy', proxy),
    ...programs.map((path) => fileEntry(`/usr/sbin/${basename(path)}`, path)),
    ...links.map((name) => ({ path: `/usr/sbin/${name}`, linkTo: basename(iptables) })),
    ...modules.map((path) => fileEntry(path, path)),
    ...(await libraryEntries(...programs, ...modules)),
    { path: '/tmp', mode: 0o1777 },
  ];
}

function pause(): Promise<BuiltImage> {
  const files = [fileEntry('/catatonit', requireCommand('catatonit'))];
  return buildScratchImage({ image: pauseImage, files, entrypoint: ['/catatonit', '-P'] });
}
