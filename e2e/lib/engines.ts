import { engineObjects } from '../../core/api/names.ts';
import { releaseNamespace } from '../../hack/up/names.ts';
import { getJson, kubectl } from './cluster.ts';

const inService = ['--namespace', releaseNamespace];
type ObjectName = 'chart' | 'available' | 'wanted';

/** The entries of one of the objects about engines, as texts; none if there is no such object. */
export async function readEntries(which: ObjectName): Promise<Record<string, string>> {
  const name = engineObjects[which];
  const { items } = await getJson('configmaps', ...inService, '--field-selector', `metadata.name=${name}`);
  return items[0]?.data ?? {};
}

/** Changes entries of one of the objects; null removes one. The object of what is available is created if it is not there. */
export async function patchEntries(which: ObjectName, data: Record<string, string | null>): Promise<void> {
  const name = engineObjects[which];
  if (which === 'available') await kubectl([...inService, 'create', 'configmap', name]);
  const patch = JSON.stringify({ data });
  const { code, stderr } = await kubectl([
    ...inService,
    ...['patch', 'configmap', name, '--type', 'merge', '--patch', patch],
  ]);
  if (code !== 0) throw new Error(stderr);
}

/** Whether the chart gives an engine an image. */
export function hasImage(text: string | undefined): boolean {
  return text !== undefined && JSON.parse(text).image !== undefined;
}

/** An engine that this installation lacks. */
export async function lackedEngine(): Promise<string> {
  const [chart, available] = await Promise.all([readEntries('chart'), readEntries('available')]);
  const isAvailable = (text = '{}') => JSON.parse(text).state === 'Available';
  const lacked = Object.keys(chart).find((name) => !hasImage(chart[name]) && !isAvailable(available[name]));
  if (lacked === undefined) throw new Error('this installation lacks no engine');
  return lacked;
}
