import { labels } from '../../core/api/names.ts';
import { ownedBy } from '../../core/kube/ownedBy.ts';
import type { Pod } from '../../core/kube/types.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { hashOf, shortHashOf } from '../../core/lib/hash.ts';
import { isRunning } from '../../core/networks/incarnation.ts';
import type { PlannedPlugin } from '../../core/plugins/extendPlan.ts';
import type { PluginProgress } from '../../core/plugins/status.ts';
import { hasDataInPod, podStateOf, weakestOf } from '../network/decide/podState.ts';
import { pluginIncarnationOf } from '../network/render/childNames.ts';
import type { PluginCase, PluginDeps } from './deps.ts';

/** What a plugin waits for, or that its steps can be taken now. */
export type PluginReadiness =
  /** The controller of networks has not posted its plugins yet, as when this process has just begun to lead. */
  | { kind: 'unknown' }
  | { kind: 'waiting'; progress: Pick<PluginProgress, 'state' | 'message'> }
  | { kind: 'runnable'; planned: PlannedPlugin; pods: readonly Pod[] };

/** From the caches alone. */
export function readinessOf(deps: Pick<PluginDeps, 'caches' | 'board'>, one: PluginCase): PluginReadiness {
  const { network, name } = one;
  const { uid } = network.metadata;
  const posted = deps.board.get(uid);
  const refusal = posted?.refused[name];
  if (refusal !== undefined) return waiting('Error', refusal);
  if (!isRunning(network))
    return waiting('Pending', `waiting for the network, which is ${network.status?.state ?? 'Pending'}`);
  if (!posted) return { kind: 'unknown' };
  const reason = posted.waiting[name];
  if (reason !== undefined) return waiting('Pending', reason);
  const planned = posted.run.find(({ plugin }) => plugin.name === name);
  if (!planned || posted.incarnation !== pluginIncarnationOf(network) || !isCurrent(planned, one)) {
    return waiting('Pending', 'waiting for its pods');
  }
  const pods = planned.parts.map((part) => podOf(deps, one, part));
  const weak = weakPod(planned, pods, posted.failure) ?? lostPart(planned, pods);
  if (weak) return weak;
  const used = usedBy(planned).find((other) => network.status?.plugins?.[other]?.state !== 'Ready');
  if (used !== undefined) return waiting('Pending', `waiting for the plugin ${used}`);
  return { kind: 'runnable', planned, pods: pods.filter((pod) => pod !== undefined) };
}

/** The state of the pod that has progressed least, unless all are ready. */
function weakPod(
  { parts }: PlannedPlugin,
  pods: readonly (Pod | undefined)[],
  failure: string | undefined,
): PluginReadiness | undefined {
  if (pods.length === 0) return undefined;
  const { phase, message } = weakestOf(pods, undefined);
  if (phase === 'ready') return undefined;
  if (phase === 'absent' && failure !== undefined) return waiting('Error', failure);
  const part = parts[pods.findIndex((pod) => podStateOf(pod).phase === phase)];
  return waiting(phase === 'failed' ? 'Error' : 'Pending', `${part}: ${message}`);
}

/** The clocks of machines differ. */
const skewMs = 5_000;

/** A part whose pod was lost with its data, while others that cannot do without it run on. */
function lostPart(
  { parts, afterLoss }: PlannedPlugin,
  pods: readonly (Pod | undefined)[],
): PluginReadiness | undefined {
  for (const [index, part] of parts.entries()) {
    const remedy = afterLoss[part];
    const pod = pods[index];
    if (remedy === undefined || !pod || !hasDataInPod(pod)) continue;
    const bornMs = parseRfc3339(pod.metadata.creationTimestamp) ?? 0;
    const othersRunOn = pods.some((other) => other !== pod && startedMs(other) < bornMs - skewMs);
    if (othersRunOn) return waiting('Error', `${part} was lost with its data; ${remedy}`);
  }
  return undefined;
}

function startedMs(pod: Pod | undefined): number {
  const [engine] = pod?.status?.containerStatuses ?? [];
  return parseRfc3339(engine?.state?.running?.startedAt) ?? Number.POSITIVE_INFINITY;
}

/** The other plugins whose results the steps use. */
export function usedBy({ plugin, input: { config, others } }: PlannedPlugin) {
  return plugin.uses?.({ config, others }) ?? [];
}

const waiting = (state: PluginProgress['state'], message: string): PluginReadiness => ({
  kind: 'waiting',
  progress: { state, message },
});

const isCurrent = ({ input }: PlannedPlugin, { chosen }: PluginCase) =>
  hashOf(input.config) === hashOf(chosen.config);

function podOf({ caches }: Pick<PluginDeps, 'caches'>, { network }: PluginCase, part: string) {
  const incarnation = pluginIncarnationOf(network);
  const found = caches.pods
    .byIndex('network', network.metadata.uid)
    .filter(ownedBy(network))
    .filter(
      ({ metadata }) =>
        metadata.labels?.[labels.part] === part && metadata.labels[labels.incarnation] === incarnation,
    );
  return found.find(({ metadata }) => !metadata.deletionTimestamp) ?? found[0];
}

/**
 * Names a deployment of a plugin: it stays the same as long as the chain, the config and the plugin's presence in the spec do.
 * `before` is the one in the status; `at` distinguishes repeated additions of the plugin.
 */
export function deploymentOf(one: PluginCase, before: string | undefined, at: number): string {
  const basis = shortHashOf([pluginIncarnationOf(one.network), one.name, one.chosen.config]);
  return before?.startsWith(`${basis}.`) ? before : `${basis}.${at.toString(36)}`;
}

/** Changes whenever the steps have to be checked again: pods may have lost what a step gave them. */
export function basisOf(one: PluginCase, pods: readonly Pod[], deployment: string): string {
  const processes = pods.map(({ metadata, status }) => [
    metadata.uid,
    (status?.containerStatuses ?? []).map(({ restartCount }) => restartCount),
  ]);
  return hashOf([deployment, one.network.status?.enclaveID, processes]);
}
