import { existsSync, readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { layout, NETWORK_NAME } from './setup/layout.ts';

/** Folders that the node's programs make outside of its own; they go when nobody else has anything in them. */
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
 * Removes what programs of the node put outside of its folder because they know no other place:
 * sockets of shims and of the kubelet, results of CNI, links to container logs. The programs must have ended.
 */
export function removeTraces(): void {
  const traces = [...shimSockets(), ...cniResults(), ...logLinks(), ...kubeletSockets()];
  for (const file of traces) rmSync(file, { force: true });
  sharedFolders.forEach(removeWhenEmpty);
}

/** Each container's folder names the socket of its shim: `unix:///run/containerd/s/<hash>`. */
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

/** libcni caches results under names of the network and the sandbox, also for each sandbox's loopback. */
function cniResults(): string[] {
  const sandboxes = filesIn(join(layout.containerd, 'state', 'io.containerd.grpc.v1.cri', 'sandboxes'));
  const prefixes = [`${NETWORK_NAME}-`, ...sandboxes.map((folder) => `cni-loopback-${basename(folder)}-`)];
  return filesIn('/var/lib/cni/results').filter((file) =>
    prefixes.some((prefix) => basename(file).startsWith(prefix)),
  );
}

/** The kubelet links every container's log there, whatever it is told. */
function logLinks(): string[] {
  return filesIn('/var/log/containers').filter((file) => readLink(file).startsWith(`${layout.podLogs}/`));
}

/** The kubelet's device plugins register at a path of their own; another kubelet cannot have run beside the node's. */
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
    // Somebody else's files are in there, or it never was.
  }
}
