import { labels } from '../../../core/api/names.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import type { EnginePart, EnginePlan } from '../../../core/chains/driver.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { dataVolume, engineMeta } from '../render/childNames.ts';
import type { NetworkContext, PlannedNetwork } from './facts.ts';
import { podStateOf } from './podState.ts';

/**
 * Nodes that lost their data get it back from nodes that have the same: parts whose `copyOf` is equal. A chain ends when no
 * such part is left that had its data. So the status says where each of them has it (`incarnation.copies`).
 */
type Copies = NonNullable<NonNullable<NetworkStatus['incarnation']>['copies']>;

/** The copies as the status has them next. Once `isDone`, all nodes have all blocks; before, a node has the chain that it began. `lost`: as of lostCopiesOf. */
export function copiesOf(
  context: NetworkContext,
  { isDone, lost = [] }: { isDone: boolean; lost: string[] | undefined },
): Copies | undefined {
  const recorded = recordedOf(context.planned());
  const found = copyPartsOf(context.planned().plan).flatMap(({ name }) => {
    const home = homeOf(context, name);
    const [pod] = podsOf(context.engines, name);
    const isFirst = recorded[name] === undefined && podStateOf(pod).phase === 'ready';
    return home !== undefined && (isDone || isFirst || lost.includes(name)) ? [[name, home] as const] : [];
  });
  const copies = { ...recorded, ...Object.fromEntries(found) };
  return Object.keys(copies).length === 0 ? undefined : copies;
}

/** The parts that had the last copies of the same data, once others are in the place of all of them. */
export function lostCopiesOf(context: NetworkContext): string[] | undefined {
  const { plan } = context.planned();
  const recorded = recordedOf(context.planned());
  const had = copyPartsOf(plan).filter(({ name }) => recorded[name] !== undefined);
  const isLost = ({ name }: EnginePart) => {
    const home = homeOf(context, name);
    return home !== undefined && home !== recorded[name];
  };
  const lost = had.filter((part) => had.every((other) => other.copyOf !== part.copyOf || isLost(other)));
  return lost.length === 0 ? undefined : lost.map(({ name }) => name);
}

/** `el-1, cl-1 and el-2` */
export function namesOf(parts: readonly string[]): string {
  const [last, ...others] = parts.toReversed();
  return others.length === 0 ? `${last}` : `${others.toReversed().join(', ')} and ${last}`;
}

/** Whether the caches do not show yet where a part that had data has it now: nobody knows whether it is lost. */
export function hasUnseenCopy(context: NetworkContext): boolean {
  return Object.keys(recordedOf(context.planned())).some((name) => homeOf(context, name) === undefined);
}

/** The parts whose pods, if they began now, would have to get their data back from others. */
export function partsWithoutCopy(planned: PlannedNetwork): string[] {
  const { facts, plan, hasVolumes } = planned;
  const recorded = recordedOf(planned);
  const parts = copyPartsOf(plan);
  return parts
    .filter(({ name, copyOf }) => {
      const hasPeers = parts.some((other) => other.copyOf === copyOf && other.name !== name);
      return hasPeers && recorded[name] !== undefined;
    })
    .filter((part) => {
      const { name } = engineMeta(planned, part, '-data');
      return !hasVolumes || claimUid(facts, name) !== recorded[part.name];
    })
    .map(({ name }) => name);
}

function recordedOf({ facts }: Pick<PlannedNetwork, 'facts'>): Copies {
  return facts.network.status?.incarnation?.copies ?? {};
}

function copyPartsOf({ parts }: EnginePlan): EnginePart[] {
  return parts.filter(({ copyOf }) => copyOf !== undefined);
}

/**
 * The uid of the volume in which the part's pod has its data, or else of the pod; undefined while the caches do not show it.
 */
function homeOf(context: NetworkContext, part: string): string | undefined {
  const [pod] = podsOf(context.engines, part);
  const claim = pod?.spec.volumes?.find(({ name }) => name === dataVolume)?.persistentVolumeClaim;
  return claim ? claimUid(context.facts, claim.claimName) : pod?.metadata.uid;
}

/** The uid of a volume; undefined while the caches do not show it. */
export function claimUid({ volumeClaims }: NetworkContext['facts'], name: string): string | undefined {
  return volumeClaims?.find(({ metadata }) => metadata.name === name)?.metadata.uid;
}

/** The pods of a part that are not terminating. */
export function podsOf(engines: readonly Pod[], part: string): Pod[] {
  return engines.filter(
    ({ metadata }) => !metadata.deletionTimestamp && metadata.labels?.[labels.part] === part,
  );
}

/** The services of the nodes that have the same data as the one behind the service `rpc`, and answer the same calls. */
export function peersOf({ parts, services }: EnginePlan): string[] {
  const { rpc } = services;
  const own = parts.find(({ name }) => name === rpc?.part);
  if (!rpc || own?.copyOf === undefined) return [];
  const others = parts.filter(({ name, copyOf }) => copyOf === own.copyOf && name !== own.name);
  return Object.entries(services)
    .filter(([, { part, port }]) => port === rpc.port && others.some(({ name }) => name === part))
    .map(([service]) => service);
}
