import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getJson, kubectl, namespace } from '../../e2e/lib/cluster.ts';
import { kubeconfig } from '../../e2e/lib/service.ts';
import { withoutLauncher } from './cold.ts';

const run = promisify(execFile);
const bin = join(import.meta.dirname, '..', '..', '.slipway', 'bin', 'kubectl');
const pauseMs = 5;
const benchLabels = { bench: 'files' };

export const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

/**
 * The kubelet checks its containers once a second, and every measurement ends just after such a check. Without a
 * random pause, the next measurement would start in sync with the checks, and the side that starts later would seem
 * faster.
 */
export const desynchronize = () => new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 1000));

export async function untilRpcAnswers(urlOf: () => Promise<string | undefined>): Promise<void> {
  for (let url = await urlOf(); ; url = await urlOf()) {
    const isUp = url !== undefined && (await returnsChainId(url));
    if (isUp) return;
    await pause();
  }
}

async function returnsChainId(url: string): Promise<boolean> {
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    return answer.ok && 'result' in ((await answer.json()) as object);
  } catch {
    return false;
  }
}

export interface Engine {
  image: string;
  overrides: string;
}

/** Runs the pod that Slipway created with `kubectl run`, renamed and without labels, until its RPC responds. */
export async function measureKubectl(engine: Engine): Promise<number> {
  const name = `bench-${randomBytes(4).toString('hex')}`;
  const startMs = performance.now();
  const args = [
    '--namespace',
    namespace,
    'run',
    name,
    `--image=${engine.image}`,
    `--overrides=${engine.overrides}`,
  ];
  await run(bin, args, { env: { ...process.env, KUBECONFIG: kubeconfig } });
  const watching = execFile(
    bin,
    ['--namespace', namespace, 'get', 'pod', name, '--watch', '--output', 'jsonpath={.status.podIP}{"\\n"}'],
    {
      env: { ...process.env, KUBECONFIG: kubeconfig },
    },
  );
  let address: string | undefined;
  watching.stdout?.on('data', (chunk: string) => {
    address ??= chunk.split('\n').find((line) => line !== '');
  });
  await untilRpcAnswers(async () => (address ? `http://${address}:8545` : undefined));
  const elapsedMs = performance.now() - startMs;
  watching.kill();
  await kubectl(['delete', 'pod', name, '--wait=false', '--grace-period=1']);
  return elapsedMs;
}

/**
 * The engine pod of a network as `kubectl run` overrides: the same image, arguments, files, limits and security
 * context. The files are copied, because the network's own are deleted when it stops.
 */
export async function engineOf(networkId: string): Promise<Engine> {
  const { stdout } = await kubectl([
    'get',
    'pods',
    '--selector',
    `slipway.dev/network=${networkId}`,
    '--output',
    'json',
  ]);
  const [{ spec }, files] = await withoutLauncher(JSON.parse(stdout).items[0]);
  const { containers, volumes, securityContext, restartPolicy, terminationGracePeriodSeconds } = spec;
  const [{ readinessProbe: _probe, ...container }] = containers;
  const own = volumes.filter(({ name }: Volume) => !name.startsWith('kube-api-access'));
  const pod = {
    spec: {
      containers: [container],
      volumes: await Promise.all(own.map((volume: Volume) => withOwnFiles(volume, files))),
      securityContext,
      restartPolicy,
      terminationGracePeriodSeconds,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
    },
  };
  return { image: container.image, overrides: JSON.stringify(pod) };
}

interface Volume {
  name: string;
  configMap?: { name: string };
}

async function withOwnFiles(volume: Volume, files?: { data: object }): Promise<Volume> {
  if (!volume.configMap) return volume;
  const { data } = files ?? (await getJson('configmap', volume.configMap.name));
  const name = `bench-${randomBytes(4).toString('hex')}`;
  const copy = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: benchLabels }, data };
  const { code, stderr } = await kubectl(['create', '--filename', '-'], JSON.stringify(copy));
  if (code !== 0) throw new Error(stderr);
  return { ...volume, configMap: { ...volume.configMap, name } };
}

/** Deletes the copied files. */
export async function removeFiles(): Promise<void> {
  await kubectl(['delete', 'configmaps', '--selector', 'bench=files']);
}
