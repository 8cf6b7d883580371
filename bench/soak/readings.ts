import { getJson, runProgram } from '../../e2e/lib/cluster.ts';
import { memoryOfPods } from '../../e2e/lib/memory.ts';
import { releaseNamespace } from '../../hack/up/names.ts';

/** What the installation holds at one moment. */
export interface Reading {
  minute: number;
  /** Working sets in MiB by component, the largest pod of each. */
  memory: Record<string, number>;
  /** The number of stored objects by kind. */
  objects: Record<string, number>;
}

const mebibyte = 1024 * 1024;
const corePaths = ['api/v1/pods', 'api/v1/configmaps', 'api/v1/secrets', 'api/v1/services'];

export async function takeReading(minute: number): Promise<Reading> {
  const [memory, objects] = await Promise.all([readMemory(), countObjects()]);
  return { minute, memory, objects };
}

async function readMemory(): Promise<Record<string, number>> {
  const { items } = await getJson('pods', '--namespace', releaseNamespace);
  const bytes = await memoryOfPods(0);
  const largest: Record<string, number> = {};
  for (const { metadata } of items) {
    const component: string = metadata.labels?.['app.kubernetes.io/component'] ?? 'other';
    const size = (bytes.get(`${releaseNamespace}/${metadata.name}`) ?? 0) / mebibyte;
    largest[component] = Math.max(largest[component] ?? 0, Number(size.toFixed(1)));
  }
  return largest;
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
