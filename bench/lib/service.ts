import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { kubeMetricTable } from '../../core/kube/metrics.ts';
import { freePorts } from '../../hack/testenv/servers.ts';
import { type Usage, usageOf } from './usage.ts';

/** A running and ready process of the service. */
export interface ServiceProcess {
  /** The URL of the REST API and the gateway. */
  url: string;
  pid: number;
  usage(): Usage;
  /** Requests to kube-apiserver so far, by verb. */
  requests(): Promise<Record<string, number>>;
  /** All of its metrics, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Resolves once the process has logged `message`. */
  logged(message: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  name: 'apiserver' | 'operator';
  nodeArgs?: string[];
  /** Additional environment variables. */
  env?: Record<string, string>;
  /** The folder that contains config, keys, bootstrap and tls. */
  folder: string;
  kubeconfig: string;
  namespace: string;
  root: string;
}

const readyLimitMs = 60_000;
/** The same Node arguments and environment as in the chart. */
export const chartNodeArgs = {
  apiserver: ['--max-semi-space-size=4'],
  operator: ['--max-semi-space-size=16'],
};
export const chartEnv = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

/** Starts a process from dist/service and resolves when it reports ready. Its warnings are printed here. */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const service = join(options.root, 'dist', 'service');
  const nodeArgs = [...chartNodeArgs[options.name], ...(options.nodeArgs ?? [])];
  const child = spawn(process.execPath, [...nodeArgs, join(service, `${options.name}.js`)], {
    env: {
      ...environmentOf(options),
      ...chartEnv,
      ...options.env,
      SYSTEM_CONTRACTS: join(service, 'system-contracts.json'),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const log = followLog(child.stdout);
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const deadlineMs = Date.now() + readyLimitMs;
  while (!(await isReady(`http://127.0.0.1:${metricsPort}/readyz`))) {
    if (child.exitCode !== null || Date.now() > deadlineMs) {
      child.kill('SIGKILL');
      throw new Error(`${options.name} exited or did not become ready within ${readyLimitMs / 1000} s`);
    }
    await delay(20);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    usage: () => usageOf(child.pid ?? 0),
    requests: async () => countRequests(await metrics()),
    metrics,
    logged: log.logged,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function environmentOf({ folder, kubeconfig, namespace, name }: ServiceOptions) {
  return {
    PATH: process.env.PATH,
    KUBECONFIG: kubeconfig,
    POD_NAME: `${name}-bench`,
    POD_NAMESPACE: namespace,
    CONFIG_DIR: join(folder, 'config'),
    KEYS_DIR: join(folder, 'keys'),
    BOOTSTRAP_DIR: join(folder, 'bootstrap'),
    TLS_DIR: join(folder, 'tls'),
  };
}

/** Follows the log: resolves awaited messages, and prints warnings and Node's own output. */
function followLog(stream: NodeJS.ReadableStream) {
  const seen = new Set<string>();
  const waiting = new Map<string, () => void>();
  createInterface({ input: stream }).on('line', (line) => {
    const { level, message } = parseLine(line);
    if (level !== 'info') console.error(line);
    if (message === undefined) return;
    seen.add(message);
    waiting.get(message)?.();
  });
  return {
    logged: (message: string) =>
      new Promise<void>((resolve) => {
        if (seen.has(message)) resolve();
        waiting.set(message, resolve);
      }),
  };
}

function parseLine(line: string): { level?: string; message?: string } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

const requestCounts = new RegExp(
  `^${kubeMetricTable.requestDuration.name}_count\\{verb="(\\w+)".*\\} (\\d+)$`,
  'gm',
);

function countRequests(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, verb = '', value] of text.matchAll(requestCounts)) {
    counts[verb] = (counts[verb] ?? 0) + Number(value);
  }
  return counts;
}

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
