import { getJson, runProgram } from '../../e2e/lib/cluster.ts';
import { memoryOfPods } from '../../e2e/lib/memory.ts';
import { releaseNamespace } from '../../hack/up/names.ts';
import { round } from '../lib/report.ts';

/** What the installation holds at one moment. */
export interface Reading {
  minute: number;
  /** Working sets in MiB by component, the largest pod of each. */
  memory: Record<string, number>;
  /** What the heaps of the API server and the operator hold after a full collection, in MiB, the largest of each. */
  liveHeap: Record<string, number>;
  /** The number of stored objects by kind. */
  objects: Record<string, number>;
}

const mebibyte = 1024 * 1024;
const corePaths = ['api/v1/pods', 'api/v1/configmaps', 'api/v1/secrets', 'api/v1/services'];

export async function takeReading(minute: number): Promise<Reading> {
  const { items } = await getJson('pods', '--namespace', releaseNamespace);
  const bytes = await memoryOfPods(0);
  const [memory, liveHeap, objects] = await Promise.all([
    largestOf(items, async (name) => bytes.get(`${releaseNamespace}/${name}`)),
    largestOf(items, readLiveHeap),
    countObjects(),
  ]);
  return { minute, memory, liveHeap, objects };
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

/** Undefined for pods without the metric, and before the first full collection. */
async function readLiveHeap(pod: string): Promise<number | undefined> {
  const path = `/api/v1/namespaces/${releaseNamespace}/pods/${pod}:9090/proxy/metrics`;
  const { stdout } = await runProgram('kubectl', ['get', '--raw', path]);
  const bytes = Number(/^slipway_live_heap_bytes (\S+)$/m.exec(stdout)?.[1] ?? 0);
  return bytes > 0 ? bytes : undefined;
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
