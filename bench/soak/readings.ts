import { compact } from '../../core/lib/compact.ts';
import { getJson, runProgram } from '../../e2e/lib/cluster.ts';
import { memoryOfPods } from '../../e2e/lib/memory.ts';
import { releaseNamespace } from '../../hack/up/names.ts';
import { round } from '../lib/report.ts';
import { collectAndRead } from './heap.ts';

/** What the installation holds at one moment. */
export interface Reading {
  minute: number;
  /** Working sets in MiB by component, the largest pod of each. */
  memory: Record<string, number>;
  /** What the heaps of Node's processes hold after a full collection, in MiB, the largest of each; read every few minutes. */
  liveHeap?: Record<string, number>;
  /** The number of stored objects by kind. */
  objects: Record<string, number>;
}

const mebibyte = 1024 * 1024;
const corePaths = ['api/v1/pods', 'api/v1/configmaps', 'api/v1/secrets', 'api/v1/services'];

export async function takeReading(minute: number, { withHeaps }: { withHeaps: boolean }): Promise<Reading> {
  const { items } = await getJson('pods', '--namespace', releaseNamespace);
  const bytes = await memoryOfPods(0);
  const memory = await largestOf(items, async (name) => bytes.get(`${releaseNamespace}/${name}`));
  const objects = await countObjects();
  const liveHeap = withHeaps ? await largestOf(items, readLiveHeap) : undefined;
  return { minute, memory, objects, ...compact({ liveHeap }) };
}

interface Pod {
  metadata: { name: string; labels?: Record<string, string> };
}

/** What `read` tells of the pods of each component, in MiB, the largest. */
async function largestOf(pods: readonly Pod[], read: (name: string) => Promise<number | undefined>) {
  const largest: Record<string, number> = {};
  for (const { metadata } of pods) {
    const bytes = await read(metadata.name);
    if (bytes === undefined) continue;
    const component = metadata.labels?.['app.kubernetes.io/component'] ?? 'other';
    largest[component] = Math.max(largest[component] ?? 0, round(bytes / mebibyte, 2));
  }
  return largest;
}

/**
 * Collects the garbage of a pod's process and reads its heap, through Node's inspector, which listens inside the pod only.
 * The metric slipway_live_heap_bytes is that of the last full collection, and counts what was garbage by the end of it.
 * Undefined for pods that do not run Node.
 */
async function readLiveHeap(pod: string): Promise<number | undefined> {
  const exec = [
    '--namespace',
    releaseNamespace,
    'exec',
    pod,
    '--',
    'node',
    '--eval',
    `(${collectAndRead})(1)`,
  ];
  const { code, stdout } = await runProgram('kubectl', exec);
  return code === 0 ? Number(stdout) : undefined;
}

/** Counts all custom resources of the service and the core kinds that it creates. */
async function countObjects(): Promise<Record<string, number>> {
  const { resources } = JSON.parse(await getRaw('/apis/slipway.dev/v1alpha1'));
  const kinds: string[] = resources
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => !name.includes('/'));
  const paths = [...kinds.map((kind) => `apis/slipway.dev/v1alpha1/${kind}`), ...corePaths];
  const counts = await Promise.all(
    paths.map(async (path): Promise<[string, number]> => {
      const { items, metadata } = JSON.parse(await getRaw(`/${path}?limit=1`));
      return [path.split('/').at(-1) ?? path, items.length + (metadata.remainingItemCount ?? 0)];
    }),
  );
  return Object.fromEntries(counts);
}

async function getRaw(path: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram('kubectl', ['get', '--raw', path]);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** The slope of a least-squares line through the readings, per hour. NaN with fewer than two readings. */
export function growthPerHour(readings: readonly Reading[], pickValue: (reading: Reading) => number): number {
  const points = readings.map((reading) => [reading.minute / 60, pickValue(reading)] as const);
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const variance = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return covariance / variance;
}
