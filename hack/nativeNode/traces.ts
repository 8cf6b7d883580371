import { existsSync, readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { layout, NETWORK_NAME } from './setup/layout.ts';

/** Folders that the node's programs create outside its own folder; they are removed when empty. */
const sharedFolders = [
  '/run/containerd/s',
  '/run/containerd',
  '/var/lib/cni/results',
  '/var/lib/cni',
  '/var/lib/kubelet/device-plugins',
  '/var/lib/kubelet',
  '/var/log/containers',
];

/**
 * Removes files that the node's programs create at hard-coded paths outside its folder: sockets of shims and of the
 * kubelet, CNI results, links to container logs. The programs must have exited.
 */
export function removeTraces(): void {
  const traces = [...shimSockets(), ...cniResults(), ...logLinks(), ...kubeletSockets()];
  for (const file of traces) rmSync(file, { force: true });
  sharedFolders.forEach(removeWhenEmpty);
}

/** Each container's folder contains the address of its shim: `unix:///run/containerd/s/<hash>`. */
function shimSockets(): string[] {
  const tasks = join(layout.containerd, 'state', 'io.containerd.runtime.v2.task', 'k8s.io');
  return filesIn(tasks).flatMap((folder) => {
    const address = join(folder, 'address');
    return existsSync(address)
      ? [
          readFileSync(address, 'utf8')
            .trim()
            .replace(/^unix:\/\//, ''),
        ]
      : [];
  });
}

/** libcni names cached results after the network and the sandbox, and caches the loopback of each sandbox too. */
function cniResults(): string[] {
  const sandboxes = filesIn(join(layout.containerd, 'state', 'io.containerd.grpc.v1.cri', 'sandboxes'));
  const prefixes = [`${NETWORK_NAME}-`, ...sandboxes.map((folder) => `cni-loopback-${basename(folder)}-`)];
  return filesIn('/var/lib/cni/results').filter((file) =>
    prefixes.some((prefix) => basename(file).startsWith(prefix)),
  );
}

/** The kubelet always links container logs there; the path is not configurable. */
function logLinks(): string[] {
  return filesIn('/var/log/containers').filter((file) => readLink(file).startsWith(`${layout.podLogs}/`));
}

/** Device plugins register at a fixed path, which belongs to the node: a second kubelet cannot have run beside it. */
function kubeletSockets(): string[] {
  return existsSync(layout.kubelet) ? ['/var/lib/kubelet/device-plugins/kubelet.sock'] : [];
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function readLink(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

function removeWhenEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It contains other files or does not exist.
  }
}
