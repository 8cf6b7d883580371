import type { KubeObject, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { ApplyFailure } from '../../core/kube/apply/applyFailure.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import type { PluginBoard, PostedPlugins } from '../plugin/board.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { launchesOf, withAdopted } from '../warm/adopted.ts';
import type { WarmEngines } from '../warm/warmEngines.ts';
import { actOn } from './act.ts';
import type { Decision, NetworkFacts } from './decide/facts.ts';
import { reasonOfPhase } from './decide/podState.ts';
import { readyReasonOf } from './status/ready.ts';
import { renderStatus } from './status/renderStatus.ts';
import { type StatusDeps, writeStatus } from './status/writeStatus.ts';

interface CarryOutDeps extends StatusDeps {
  kube: Kube;
  caches: { networks: Pick<Reflector<NetworkResource>, 'byIndex' | 'observe'> };
  warm?: Pick<WarmEngines, 'adopt' | 'begin' | 'makeRoom'>;
  /** For the controller of plugins. */
  plugins: Pick<PluginBoard, 'post'>;
}

interface Step {
  facts: NetworkFacts;
  decision: Decision;
  /** The network's children. */
  observed: Stored<KubeObject>[];
  /** What else can be done while an engine starts. */
  meanwhile(): Promise<void>;
}

/** When to try again while something keeps a child from being created. */
const failureMs = 10_000;
/** When to try again once pods that waited for a network are ending. */
const roomMs = 1_000;
const failureReasons: ReadonlySet<string> = new Set<ApplyFailure['reason']>([
  'NameTaken',
  'QuotaExceeded',
  'ChildInvalid',
]);

/** Writes the status of a decision and makes its children. Returns when to call again if that is not done. */
export async function carryOut(
  deps: CarryOutDeps,
  { facts, decision, observed, meanwhile }: Step,
): Promise<ReconcileResult | undefined> {
  const { network, nowMs } = facts;
  const { children, status } = decision;
  // A reported failure stays in the status until the children exist.
  const isLate = children !== undefined && hasApplyFailure(network);
  if (!isLate) await writeStatus(deps, { network, status, nowMs });
  if (!children) return undefined;
  const adopted = (await deps.warm?.adopt({ network, children, observed })) ?? [];
  // An engine starts while the Services of its network are created.
  const [{ isSettled, failure, pluginFailure }] = await Promise.all([
    actOn(deps.kube, {
      desired: withAdopted(children, adopted),
      observed: [...observed, ...adopted],
      network,
    }),
    deps.warm?.begin(launchesOf(children, adopted)),
    adopted.length > 0 ? meanwhile() : undefined,
  ]);
  deps.plugins.post(network.metadata.uid, boardOf(decision, pluginFailure));
  if (failure) {
    const [latest = network] = deps.caches.networks.byIndex('uid', network.metadata.uid);
    const decided = { ...facts, network: { ...network, status } };
    const blocked = renderStatus(decided, { ...failure, state: 'Error' });
    await writeStatus(deps, { network: latest, status: blocked, nowMs });
    const isRoomMade = failure.reason === 'QuotaExceeded' && deps.warm?.makeRoom(network.metadata.namespace);
    return { requeueAfterMs: isRoomMade ? roomMs : failureMs, state: 'Error' };
  }
  if (isLate) await writeStatus(deps, { network, status, nowMs });
  if (adopted.length > 0) return { requeueAfterMs: 0, state: status.state };
  if (readyReasonOf(status) === reasonOfPhase.unscheduled) deps.warm?.makeRoom(undefined);
  if (!isSettled) return { requeueAfterMs: 1_000, state: status.state };
  return pluginFailure ? { requeueAfterMs: failureMs, state: status.state } : undefined;
}

function boardOf({ plugins }: Decision, failure: ApplyFailure | undefined): PostedPlugins | undefined {
  return plugins && { ...plugins, ...compact({ failure: failure?.message }) };
}

function hasApplyFailure({ status }: NetworkResource): boolean {
  return failureReasons.has(readyReasonOf(status) ?? '');
}
