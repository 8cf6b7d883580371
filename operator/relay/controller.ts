import type { JournalResource } from '../../core/api/journal.ts';
import type { NetworkResource } from '../../core/api/network.ts';
import type { Reflector } from '../../core/kube/reflector.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { TokenContracts } from '../../core/tokens/artifacts.ts';
import type { PositionStore } from '../../core/tokens/relay/protocol.ts';
import { createRelay, type RelayEvents } from '../../core/tokens/relay/relay.ts';
import type { ChainOf } from '../ports/chains.ts';
import type { Journals } from '../ports/journals.ts';
import type { Signers } from '../ports/signers.ts';
import { type Controller, type ControllerMetrics, createController } from '../runtime/controller.ts';
import { createWorkQueue, type QueueMetrics } from '../runtime/queue.ts';
import { placeOf } from './caches.ts';
import { createLives } from './lives.ts';
import { cachePositions } from './positions.ts';
import { ccipOver, hashIn, isComplete, layerZeroOver } from './stations.ts';

export interface RelayDeps {
  caches: {
    journals: Pick<Reflector<JournalResource>, 'get' | 'list' | 'byIndex' | 'onChange'>;
    networks: Pick<Reflector<NetworkResource>, 'get' | 'byIndex' | 'onChange'>;
  };
  chainOf: ChainOf;
  journals: Journals;
  signers: Signers;
  contracts: TokenContracts;
  eventsOf(protocol: string): RelayEvents;
  clock: Clock;
  log: Log;
}

interface ControllerSettings {
  metrics?: (controller: string) => QueueMetrics & ControllerMetrics;
}

/** Sources that are read at the same time. Nearly all of it is waiting for nodes, and some never answer. */
const workers = 64;
const pauseMs = 500;
const pauseAfterErrorMs = 5_000;

/**
 * Carries messages between networks, for one term of leadership: one key for each network that they come from, the
 * `namespace/name` of its journal.
 */
export function createRelayController(deps: RelayDeps, settings: ControllerSettings = {}): Controller {
  const { caches, clock, log } = deps;
  const name = 'relay';
  const metrics = settings.metrics?.(name);
  const common = { clock, log, name, ...(metrics ? { metrics } : {}) };
  const queue = createWorkQueue(common);
  const add = ({ metadata }: JournalResource) => queue.add(`${metadata.namespace}/${metadata.name}`);
  return {
    name,
    async run(signal) {
      const reconcile = createRelayReconcile(deps, signal);
      const controller = createController({ ...common, queue, reconcile, workers });
      const stops = [
        caches.journals.onChange(({ object }) => add(object)),
        caches.networks.onChange(({ object }) => {
          caches.journals.byIndex('network', object.metadata.uid ?? '').forEach(add);
        }),
      ];
      caches.journals.list().forEach(add);
      await controller.run(signal);
      for (const stop of stops) stop();
    },
  };
}

function createRelayReconcile(deps: RelayDeps, signal: AbortSignal) {
  const { caches, signers, clock } = deps;
  const lifeOf = createLives({ networks: caches.networks, chainOf: deps.chainOf });
  const positions = new Map<string, PositionStore>();
  const lifeIn = (journal: JournalResource) =>
    lifeOf({ ...placeOf(journal.spec.scope), hash: hashIn(journal) });

  function positionsIn(namespace: string): PositionStore {
    const known = positions.get(namespace) ?? cachePositions(deps.journals.positionsIn(namespace));
    positions.set(namespace, known);
    return known;
  }

  /** Journals that messages may lead to: of the same protocol and group, on chains that are not gone. */
  async function reachable(journal: JournalResource): Promise<JournalResource[]> {
    const { protocol, group } = placeOf(journal.spec.scope);
    const all = caches.journals.byIndex('namespace', journal.metadata.namespace ?? '').filter(({ spec }) => {
      const place = placeOf(spec.scope);
      return place.protocol === protocol && place.group === group;
    });
    const lives = await Promise.all(all.map(lifeIn));
    return all.filter((_, index) => lives[index] !== 'over');
  }

  function protocolOver(journal: JournalResource, journals: JournalResource[]) {
    const { protocol, group } = placeOf(journal.spec.scope);
    if (protocol === 'ccip') return ccipOver(journals, deps.contracts);
    const [network] = caches.networks.byIndex('uid', group);
    // A LayerZero network that does not run brings nothing; it goes on where it was.
    if (network?.status?.state !== 'Operational') return undefined;
    const { namespace = '' } = network.metadata;
    const find = (name: string) => caches.networks.get({ namespace, name });
    return layerZeroOver({ network, find }, journals, deps.contracts);
  }

  async function pass(journal: JournalResource): Promise<boolean | undefined> {
    const { namespace = '' } = journal.metadata;
    const { network: id, incarnation, protocol: word } = placeOf(journal.spec.scope);
    if (!isComplete(journal) || (await lifeIn(journal)) !== 'present') return undefined;
    const journals = await reachable(journal);
    const protocol = protocolOver(journal, journals);
    const source = protocol?.sources.find((one) => one.network === id && one.incarnation === incarnation);
    if (!protocol || !source) return undefined;
    const incarnations = new Map(protocol.sources.map((one) => [one.network, one.incarnation]));
    const relay = createRelay(protocol, {
      positions: positionsIn(namespace),
      clock,
      events: deps.eventsOf(word),
      chain: async (uid) => {
        const enclaveID = caches.networks.byIndex('uid', uid)[0]?.status?.enclaveID ?? '';
        const isOlder = incarnations.get(uid) !== enclaveID;
        return deps.chainOf(uid, {
          enclaveID,
          isOlder,
          signers: { service: signers.serviceOf(namespace) },
          signal,
        });
      },
    });
    return relay.pass(source);
  }

  return async (key: string) => {
    const [namespace = '', name = ''] = key.split('/');
    const journal = caches.journals.get({ namespace, name });
    if (!journal) return { state: 'Gone' };
    try {
      const hasMore = await pass(journal);
      return hasMore === undefined ? { state: 'Quiet' } : { requeueAfterMs: hasMore ? 0 : pauseMs };
    } catch (error) {
      if (!isAppError(error)) throw error;
      const { network, protocol } = placeOf(journal.spec.scope);
      deps.eventsOf(protocol).interrupted(network, error);
      return { requeueAfterMs: pauseAfterErrorMs };
    }
  };
}
