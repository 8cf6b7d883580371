import { idOf } from '../../core/api/ids.ts';
import { annotations } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { isAsleep, isDown, isStopRequested, isWakeRequested, mustWake } from '../../core/networks/wake.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { updateLive } from '../store/updateLive.ts';
import { answerNetwork } from './answer.ts';
import type { NetworkDeps } from './deps.ts';

/** How long an answer waits for the operator to begin. */
const begunLimitMs = 10_000;

/** Stops a network by its annotation, as a user of kubectl would. Answers once the operator has begun. */
export function stopNetwork(deps: NetworkDeps): Handler<'stopNetwork'> {
  return async ({ principal, params, idempotencyMark: mark }) => {
    const found = await deps.find(principal.namespace, params.id);
    const stopped = await annotate(deps, { found, mark }, (network, value) => {
      const isOver = isDown(network) && !mustWake(network);
      if (isOver || (isStopRequested(network) && !isWakeRequested(network))) return undefined;
      // What asked to wake it came before.
      const { [annotations.wake]: _withdrawn, ...others } = network.metadata.annotations ?? {};
      return { ...others, [annotations.stop]: value };
    });
    const hasBegun = (network: Stored<NetworkResource>) => !isStopRequested(network);
    return answerNetwork(deps, await whenBegun(deps, stopped, hasBegun), principal);
  };
}

/** Wakes a network by its annotation, as its use does. Answers once the operator has begun. */
export function wakeNetwork(deps: NetworkDeps): Handler<'wakeNetwork'> {
  return async ({ principal, params, idempotencyMark: mark }) => {
    const found = await deps.find(principal.namespace, params.id);
    const woken = await annotate(deps, { found, mark }, (network, value) => {
      const isStopping = isDown(network) || isStopRequested(network);
      if (!isStopping || isWakeRequested(network)) return undefined;
      return { ...network.metadata.annotations, [annotations.wake]: value };
    });
    // A repeated request does not wake what was stopped since.
    if (!isAsleep(woken)) deps.touch(woken);
    const hasBegun = (network: Stored<NetworkResource>) => !isWakeRequested(network);
    return answerNetwork(deps, await whenBegun(deps, woken, hasBegun), principal);
  };
}

interface Annotated {
  found: Stored<NetworkResource>;
  mark: string | undefined;
}

/** Writes the annotations that `next` returns for the live network; undefined leaves it as it is. */
async function annotate(
  deps: NetworkDeps,
  { found: { metadata }, mark }: Annotated,
  next: (network: Stored<NetworkResource>, value: string) => Record<string, string> | undefined,
): Promise<Stored<NetworkResource>> {
  const { namespace, name, uid } = metadata;
  // With milliseconds: two requests within a second are two requests.
  const value = new Date(await deps.kube.serverTimeMs()).toISOString();
  const target = { type: networkType, namespace, name, mark, absent: () => notFound('Network') };
  return updateLive(deps.kube, target, (current) => {
    if (current.metadata.uid !== uid) throw notFound('Network');
    const changed = next(current, value);
    return changed ? { ...current, metadata: { ...current.metadata, annotations: changed } } : current;
  });
}

/** The network once the operator has begun what was asked; as it is if the operator is away. */
async function whenBegun(
  { waitFor, cache }: NetworkDeps,
  asked: Stored<NetworkResource>,
  hasBegun: (network: Stored<NetworkResource>) => boolean,
): Promise<Stored<NetworkResource>> {
  const { namespace, uid } = asked.metadata;
  const isIt = (network: Stored<NetworkResource>) => network.metadata.uid === uid && hasBegun(network);
  const begun = await waitFor(isIt, { timeoutMs: begunLimitMs });
  return begun ?? cache.byId(namespace, idOf(asked)) ?? asked;
}
