import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { releaseNamespace } from '../../hack/up/names.ts';
import { podsOf } from './components.ts';
import { kubeconfig } from './service.ts';

/** Direct access to one replica of the API server, bypassing the ingress. */
export interface ReplicaAccess {
  name: string;
  url: string;
  close(): void;
}

const program = join(import.meta.dirname, '..', '..', '.slipway', 'bin', 'kubectl');

/** Opens a port-forward to each ready replica of the API server. */
export async function openReplicas(): Promise<ReplicaAccess[]> {
  const names = (await podsOf('apiserver')).map(({ metadata }) => metadata.name);
  return Promise.all(names.map((name) => openPod(name, releaseNamespace)));
}

/** Opens a port-forward to a port of a pod, 8080 by default. */
export function openPod(name: string, namespace: string, port = 8080): Promise<ReplicaAccess> {
  const args = ['--namespace', namespace, 'port-forward', `pod/${name}`, `:${port}`];
  const child = spawn(program, args, {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReplicaAccess>();
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    const port = /127\.0\.0\.1:(\d+) ->/.exec(output)?.[1];
    if (port) resolve({ name, url: `http://127.0.0.1:${port}`, close: () => void child.kill() });
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('error', reject);
  child.once('close', () => reject(new Error(`port-forward to ${name} failed: ${output}`)));
  return promise;
}
