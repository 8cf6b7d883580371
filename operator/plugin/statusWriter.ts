import type { PluginName } from '../../core/api/resources/plugins.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { pluginsOf } from '../../core/api/rules/plugins.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { PluginStatus } from '../../core/plugins/status.ts';
import { statusPatch } from '../network/status/status.ts';
import type { PluginDeps, PluginRef } from './deps.ts';

/**
 * Writes the entry of one plugin in status.plugins; undefined removes it. No other member of the status is touched, and the
 * controller of networks leaves this one alone: it makes the conditions of it.
 */
export async function writeEntry(
  { kube, caches, events }: Pick<PluginDeps, 'kube' | 'caches' | 'events'>,
  { network, name }: PluginRef,
  entry: PluginStatus | undefined,
): Promise<void> {
  const [latest = network] = caches.networks.byIndex('uid', network.metadata.uid);
  const before = latest.status?.plugins?.[name];
  const patch = statusPatch({ plugins: { [name]: before } }, { plugins: { [name]: entry } });
  if (!patch) return;
  const status = entry === undefined && isLast(latest, name) ? { plugins: null } : patch;
  const { namespace, name: networkName, uid } = latest.metadata;
  try {
    // The uid is a precondition: a later network of the same name keeps its own status.
    const body = { metadata: { uid }, status };
    caches.networks.observe(await kube.patch(networkType, { namespace, name: networkName }, body, 'status'));
  } catch (error) {
    if (!isAppError(error, 'NotFound')) throw error;
  }
  const isNews =
    entry && (entry.state !== before?.state || (isBad(entry) && entry.message !== before.message));
  if (!isNews) return;
  const message = `plugin ${name}: ${entry.message}`;
  if (isBad(entry)) events.record(latest, { type: 'Warning', reason: 'PluginFailed', message });
  if (entry.state === 'Ready') events.record(latest, { type: 'Normal', reason: 'PluginReady', message });
}

const isBad = ({ state }: PluginStatus) => state === 'Error';

function isLast({ spec, status }: PluginRef['network'], name: PluginName): boolean {
  const names = [...Object.keys(status?.plugins ?? {}), ...pluginsOf(spec.chain).map((one) => one.name)];
  return names.every((other) => other === name);
}
