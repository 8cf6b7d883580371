import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ToolName } from '../tools/catalogue.ts';
import { cgroupRoots } from './inventory.ts';
import { writeService } from './runit.ts';
import { services } from './services.ts';
import { encryptionConfig } from './setup/configs.ts';
import { writeCredentials } from './setup/credentials.ts';
import { configFile, layout, program } from './setup/layout.ts';
import { firstNode, type NodePlace } from './setup/place.ts';

/** Programs that the node runs directly; those that run in pods are not listed. */
export const nodeTools = [
  'etcd',
  'kube-apiserver',
  'kubectl',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
] as const satisfies ToolName[];

/** A short hash of everything in which two nodes can differ. */
export function stampOf(configs: Record<string, string>, tools: Record<string, string>): string {
  const facts = JSON.stringify([
    configs,
    Object.values(tools).map((path) => basename(dirname(path))),
    services(),
  ]);
  return createHash('sha256').update(facts).digest('hex').slice(0, 16);
}

/** Writes programs, configuration, credentials and services into the node's folder. */
export async function writeNode(
  configs: Record<string, string>,
  tools: Record<string, string>,
): Promise<void> {
  for (const folder of [
    layout.bin,
    layout.config,
    layout.logs,
    layout.podLogs,
    layout.volumes,
    layout.etcd,
  ]) {
    mkdirSync(folder, { recursive: true, mode: folder === layout.etcd ? 0o700 : 0o755 });
  }
  for (const [name, path] of Object.entries(tools)) linkOrCopy(path, program(name));
  for (const [path, text] of Object.entries(configs)) writeText(path, text, 0o644);
  writeText(configFile('encryption.yaml'), encryptionConfig(randomBytes(32)), 0o600);
  await writeCredentials();
  prepareCgroups(firstNode);
  for (const service of services()) writeService(service);
}

/** Creates the parent of the node's pod cgroups in each hierarchy. */
export function prepareCgroups({ cgroup }: NodePlace): void {
  for (const root of cgroupRoots()) {
    cgroup.split('/').reduce((parent, name) => {
      delegate(parent);
      const child = join(parent, name);
      mkdirSync(child, { recursive: true });
      return child;
    }, root);
  }
}

/** cgroup v2 delegates a controller to child groups only when it is enabled here; cgroup v1 has no such file. */
function delegate(root: string): void {
  const offered = join(root, 'cgroup.controllers');
  for (const controller of existsSync(offered) ? readFileSync(offered, 'utf8').trim().split(' ') : []) {
    try {
      writeFileSync(join(root, 'cgroup.subtree_control'), `+${controller}`);
    } catch {
      // Not every controller can be delegated everywhere; the kubelet reports any that it needs and lacks.
    }
  }
}

export function writeText(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

/** Links or copies the program, so that the node keeps it when the cache is emptied. */
export function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}
