import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { layout, NETWORK_NAME } from './layout.ts';

/**
 * Removes what programs of the node put outside of its folder because they know no other place:
 * sockets of shims, results of CNI, links to container logs.
 */
export function removeTraces(): void {
  for (const socket of shimSockets()) rmSync(socket, { force: true });
  for (const file of cniResults()) rmSync(file, { force: true });
  for (const link of logLinks()) rmSync(link, { force: true });
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

/** libcni caches a result for each pod under the name of its network. */
function cniResults(): string[] {
  return filesIn('/var/lib/cni/results').filter((file) => file.includes(`/${NETWORK_NAME}-`));
}

/** The kubelet links every container's log there, whatever it is told. */
function logLinks(): string[] {
  return filesIn('/var/log/containers').filter((file) => readLink(file).startsWith(`${layout.podLogs}/`));
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
