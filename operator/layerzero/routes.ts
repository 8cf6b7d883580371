import { originOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import {
  endpointStep,
  type LayerZeroEndpoint,
  layerZeroScope,
} from '../../core/crosschain/layerzero/members.ts';
import { layerZeroRelayProtocol } from '../../core/crosschain/layerzero/relayProtocol.ts';
import type { PositionStore } from '../../core/crosschain/relay/protocol.ts';
import { createRelay, type RelayEvents } from '../../core/crosschain/relay/relay.ts';
import type { TokenChain } from '../../core/deploy/ports.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { messageOf } from '../../core/lib/errors.ts';
import { cachePositions } from '../relay/positions.ts';
import type { LayerZeroDeps } from './deps.ts';
import { scopeOf } from './endpoints.ts';
import type { MemberEndpoint } from './facts.ts';
import { createHeadCalls } from './headCalls.ts';

/** A connection between two endpoints on which messages are delivered. */
interface Route {
  from: MemberEndpoint;
  to: MemberEndpoint;
}

export interface Routes {
  /** Delivers on exactly these connections of a LayerZero network. */
  set(network: Stored<NetworkResource>, routes: readonly Route[]): void;
  /** Stops delivery for a deleted network. */
  end(uid: string): void;
  /** Resolves when all loops have ended after `signal` was aborted. */
  ended(): Promise<void>;
}

interface Running {
  uid: string;
  stop(): void;
  ended: Promise<void>;
}

/**
 * One loop per connection, so that a loop that hangs does not slow down the others. Each loop stores its position in
 * its own journal, keyed by the endpoints of both sides.
 */
export function createRoutes(deps: LayerZeroDeps, signal: AbortSignal): Routes {
  const running = new Map<string, Running>();
  const ending = new Map<string, Promise<void>>();
  const headCalls = createHeadCalls(deps.clock);

  function start(network: Stored<NetworkResource>, route: Route, key: string): void {
    const stopping = new AbortController();
    const either = AbortSignal.any([signal, stopping.signal]);
    // Starts only after the previous loop of the connection has saved its position.
    const ended = (ending.get(key) ?? Promise.resolve())
      .then(() => deliver(network, route, { deps, headCalls, signal: either }))
      .catch((error: unknown) => deps.log.error('relay failed', { route: key, error: messageOf(error) }));
    running.set(key, { uid: network.metadata.uid, stop: () => stopping.abort(), ended });
  }

  function stop(key: string): void {
    const one = running.get(key);
    one?.stop();
    running.delete(key);
    if (!one) return;
    ending.set(key, one.ended);
    void one.ended.then(() => ending.get(key) === one.ended && ending.delete(key));
  }

  function stopOthers(uid: string, wanted: ReadonlySet<string>): void {
    for (const [key, one] of running) if (one.uid === uid && !wanted.has(key)) stop(key);
  }

  return {
    set(network, routes) {
      const { uid } = network.metadata;
      const keyed = new Map(routes.map((route) => [keyOf(uid, route), route]));
      stopOthers(uid, new Set(keyed.keys()));
      for (const [key, route] of keyed) if (!running.has(key)) start(network, route, key);
    },
    end: (uid) => stopOthers(uid, new Set()),
    ended: async () => {
      await Promise.all([...[...running.values()].map((one) => one.ended), ...ending.values()]);
    },
  };
}

/** Contains the members' enclaveIDs, so that the loop restarts when a member's incarnation changes. */
function keyOf(uid: string, { from, to }: Route): string {
  return [uid, ...[from, to].flatMap((end) => [scopeOf(end), end.enclaveID])].join('/');
}

interface DeliverContext {
  deps: LayerZeroDeps;
  headCalls: ReturnType<typeof createHeadCalls>;
  signal: AbortSignal;
}

async function deliver(network: Stored<NetworkResource>, { from, to }: Route, context: DeliverContext) {
  const { deps, headCalls, signal } = context;
  const { namespace } = network.metadata;
  const endpoints = [from, to].map(endpointOf);
  const protocol = layerZeroRelayProtocol(`${originOf(network)}/${scopeOf(to)}`, endpoints, deps.contracts);
  const signers = { service: deps.signers.serviceOf(namespace) };
  const firstBlock = () => firstBlockOf(deps, network, from);
  const relay = createRelay(
    { ...protocol, sources: protocol.sources.filter(({ network: id }) => id === from.id) },
    {
      clock: deps.clock,
      events: eventsOf(deps.relayEvents, { from, to }),
      positions: cachePositions(startingAt(firstBlock, deps.journals.positionsIn(namespace))),
      firstBlock,
      async chain(id): Promise<TokenChain> {
        const { enclaveID, incarnation } = id === from.id ? from : to;
        const isOlder = incarnation !== enclaveID;
        return headCalls.share(
          `${namespace}/${id}`,
          deps.chainOf(id, { namespace, enclaveID, isOlder, signers, signal }),
        );
      },
    },
  );
  await relay.run(signal);
}

const endpointOf = ({
  id,
  deployment,
  eid,
  endpoint = '',
  messageLib = '',
}: MemberEndpoint): LayerZeroEndpoint => ({
  id,
  incarnation: deployment,
  eid,
  endpoint,
  messageLib,
});

/** A connection that never had a message needs no journal: until then, its position is where it starts. */
function startingAt(firstBlock: () => Promise<number>, { load, save }: PositionStore): PositionStore {
  return { save, load: async (key) => (await load(key)) ?? { block: await firstBlock(), waiting: [] } };
}

/** The block of the endpoint: earlier blocks have no messages, and a fork has millions of them. */
async function firstBlockOf(
  { journals }: LayerZeroDeps,
  network: Stored<NetworkResource>,
  from: MemberEndpoint,
): Promise<number> {
  const member = { id: from.id, incarnation: from.deployment, eid: from.eid };
  const { namespace } = network.metadata;
  const scope = layerZeroScope({ id: originOf(network) }, member);
  const progress = await journals.progressIn(namespace).load(scope);
  return progress[endpointStep]?.block ?? 0;
}

/** Names the source together with its destination, because a source has one loop per connection. */
function eventsOf(events: RelayEvents, { from, to }: Route): RelayEvents {
  const name = `${from.id}/${to.id}`;
  return {
    delivered: (_source, message) => events.delivered(name, message),
    failed: (_source, message, failure) => events.failed(name, message, failure),
    waiting: (_source, count, behind) => events.waiting(name, count, behind),
    wentBack: (_source, block, to) => events.wentBack(name, block, to),
    interrupted: (_source, error) => events.interrupted(name, error),
  };
}
