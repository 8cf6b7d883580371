import type { NetworkStatus } from '../../../../core/api/resources/networkStatus.ts';
import type { EnginePart, EnginePlan } from '../../../../core/chains/driver.ts';
import type { Pod } from '../../../../core/kube/types.ts';
import { toRfc3339 } from '../../../../core/lib/clock.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { hashOf } from '../../../../core/lib/hash.ts';
import { unaskedRestarts } from '../../lifecycle/restart.ts';
import { dataVolume, engineMeta } from '../../render/childNames.ts';
import { afterLoss, endOfChain } from '../chain.ts';
import { claimUid, copiesOf, hasUnseenCopy, lostCopiesOf, namesOf, podsOf } from '../copies.ts';
import type { NetworkContext, NetworkFacts, PlannedNetwork } from '../facts.ts';
import { exitOf } from '../podState.ts';

type ChainStatus = Pick<
  NetworkStatus,
  'enclaveID' | 'storage' | 'previousChain' | 'incarnation' | 'instance'
>;

/** What the status says about the chain that the pods run. */
export function runningChainOf(context: NetworkContext, isDone: boolean): ChainStatus {
  const { facts, plan } = context.planned();
  const { status } = facts.network;
  const chainParts = chainPartsOf(plan);
  const isSole = chainParts.every(({ copyOf }) => copyOf === undefined);
  const storage = storageOf(chainParts, context.engines) ?? status?.storage;
  const volume = storage === 'Volume' && isSole ? volumeOf(context.planned(), chainParts) : undefined;
  const isUnseen = volume?.isUnseen === true || hasUnseenCopy(context);
  const present = isUnseen ? undefined : dataIdOf(chainParts, context.engines);
  const isKept = (status?.storage === 'Volume' && volume?.isOther === false) || !isSole;
  const lostCopies = lostCopiesOf(context);
  const { data, isOther } = compareData(status, present);
  const isLost = lostCopies !== undefined || (isOther && !isKept && isSole);
  const cause = lostCopies || volume?.isOther ? causeOfVolumes(lostCopies) : causeOf(context, facts);
  const previousChain = isLost ? endOfChain(facts, cause) : status?.previousChain;
  const incarnation = withData(afterLoss(facts.network, previousChain), {
    data,
    volume: volume?.uid,
    copies: copiesOf(context, { isDone, lost: lostCopies }),
  });
  return {
    enclaveID: chainIdOf(status, { data, isOther, isLost }),
    storage,
    previousChain,
    incarnation: isDone ? doneIncarnation(context, incarnation) : incarnation,
    // Nobody knows yet which chain the pods run.
    ...(isUnseen ? { instance: undefined } : {}),
  };
}

interface Data {
  /** The pods and processes that have the data; undefined while none is there. */
  data: string | undefined;
  /** Whether others had it last. */
  isOther: boolean;
}

function compareData(status: NetworkStatus | undefined, present: string | undefined): Data {
  const former = formerDataOf(status);
  const data = present ?? former;
  return { data, isOther: former !== undefined && data !== former };
}

/** A chain has the id of the pods and processes that it began in, for as long as its data is kept. */
function chainIdOf(
  status: NetworkStatus | undefined,
  { data, isOther, isLost }: Data & { isLost: boolean },
): string | undefined {
  const hasEnded = isOther && status?.previousChain?.enclaveID === status?.enclaveID;
  return isLost || hasEnded ? data : (status?.enclaveID ?? data);
}

interface Volume {
  /** The uid of its volume; for a chain with several parts, those of all its volumes. */
  uid: string | undefined;
  /** Whether it is not the one that the chain had: its data is gone. */
  isOther: boolean;
  /** Whether it does not show yet, so that nobody knows whether a new pod has the data. */
  isUnseen: boolean;
}

/** Where the data of a chain is of which there are no copies. */
function volumeOf({ facts, ...input }: PlannedNetwork, chainParts: readonly EnginePart[]): Volume {
  const former = facts.network.status?.incarnation?.volume;
  const names = chainParts.map((part) => engineMeta(input, part, '-data').name);
  const uids = names.map((name) => claimUid(facts, name));
  const uid = uids.includes(undefined) ? undefined : uids.join(' ');
  const isKnown = former !== undefined;
  return {
    uid,
    isOther: isKnown && uid !== undefined && uid !== former,
    isUnseen: isKnown && uid === undefined,
  };
}

function withData(
  incarnation: NetworkStatus['incarnation'],
  where: {
    data: string | undefined;
    volume: string | undefined;
    copies: Record<string, string> | undefined;
  },
): NetworkStatus['incarnation'] {
  return incarnation && { ...incarnation, ...compact(where) };
}

function causeOfVolumes(parts: readonly string[] = []): string {
  if (parts.length < 2) return 'its volume was replaced by another one';
  return `the volumes of ${namesOf(parts)} were replaced by others`;
}

/** Whether the network was Operational with the processes that its pods run now. */
export function isRunningAsBefore(context: NetworkContext): boolean {
  return context.planned().facts.network.status?.state === 'Operational' && isSameChain(context);
}

/** Whether the status describes the processes that its pods run now, so that what was learnt under it still holds. */
export function isSameChain({ planned, engines }: NetworkContext): boolean {
  const { facts, plan } = planned();
  const { status } = facts.network;
  return formerDataOf(status) === dataIdOf(chainPartsOf(plan), engines);
}

function chainPartsOf({ parts }: EnginePlan): EnginePart[] {
  return parts.filter(({ losesChainWith }) => losesChainWith !== 'nothing');
}

function doneIncarnation(
  { planned, engines }: NetworkContext,
  incarnation: NetworkStatus['incarnation'],
): NetworkStatus['incarnation'] {
  const { facts, plan } = planned();
  if (!incarnation) return undefined;
  const { startedAt = toRfc3339(facts.nowMs), adjusted } = incarnation;
  const settled = adjusted === undefined ? {} : { adjusted: adjustedBy(engines, plan.settings) };
  return { ...incarnation, startedAt, ...settled };
}

/** Identifies the processes that run, and the values that they have taken over. */
export function adjustedBy(engines: readonly Pod[], settings: EnginePlan['settings']): string {
  const processes = engines.map(({ metadata, status }) => [
    metadata.uid,
    status?.containerStatuses?.[0]?.restartCount ?? 0,
  ]);
  return hashOf([processes, settings]).slice(0, 16);
}

/** Why a chain is gone that no change of the spec ended. */
function causeOf(
  { engines }: NetworkContext,
  { network, forkSource }: Pick<NetworkFacts, 'network' | 'forkSource'>,
): string {
  const exit = exitOf(engines, forkSource);
  if (exit) return exit;
  return network.status?.maintenance?.action === 'Restart'
    ? 'Restart replaced its pod'
    : 'its pod was replaced';
}

/** Until 0.3, the id of a chain was that of the pods and processes that had its data. */
function formerDataOf(status: NetworkStatus | undefined): string | undefined {
  return status?.incarnation?.data ?? status?.enclaveID;
}

/**
 * Changes whenever the chain's data may have been lost: with a new pod, or with an unrequested container restart if
 * that loses the chain. Undefined while a pod is missing.
 */
function dataIdOf(chainParts: readonly EnginePart[], engines: readonly Pod[]): string | undefined {
  const incarnations = chainParts.flatMap(({ name, losesChainWith = 'process' }) =>
    podsOf(engines, name).map((pod) => [
      pod.metadata.uid,
      losesChainWith === 'process' ? unaskedRestarts(pod) : 0,
    ]),
  );
  return incarnations.length < chainParts.length ? undefined : hashOf(incarnations).slice(0, 16);
}

/** Undefined while no pod with data exists. A network that became persistent keeps its data in its running pod. */
function storageOf(chainParts: readonly EnginePart[], engines: readonly Pod[]): NetworkStatus['storage'] {
  const stores = chainParts
    .filter(({ dataPath }) => dataPath !== undefined)
    .flatMap(({ name }) => podsOf(engines, name))
    .flatMap(({ spec }) => spec.volumes?.find(({ name }) => name === dataVolume) ?? []);
  if (stores.length === 0) return undefined;
  return stores.every(({ persistentVolumeClaim }) => persistentVolumeClaim) ? 'Volume' : 'Pod';
}
