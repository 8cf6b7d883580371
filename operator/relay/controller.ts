import type { JournalResource } from '../../core/api/resources/journal.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { CcipNetwork } from '../../core/crosschain/ccip/ccipNetwork.ts';
import { ccipRelayProtocol } from '../../core/crosschain/ccip/relayProtocol.ts';
import type { PositionStore } from '../../core/crosschain/relay/protocol.ts';
import { createRelay, type RelayEvents } from '../../core/crosschain/relay/relay.ts';
import type { TokenContracts } from '../../core/deploy/artifacts.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { ChainOf } from '../ports/chains.ts';
import type { Journals } from '../ports/journals.ts';
import type { Signers } from '../ports/signers.ts';
import { createVerifyChain } from '../ports/verifyChain.ts';
import { type Controller, type ControllerMetrics, createController } from '../runtime/controller.ts';
import { createWorkQueue, type QueueMetrics } from '../runtime/queue.ts';
import { chainIn } from './caches.ts';
import { endpointOf, firstBlockOf, hashIn, isComplete } from './endpoints.ts';
import { cachePositions } from './positions.ts';

export interface RelayDeps {
  caches: {
    journals: Pick<Reflector<JournalResource>, 'get' | 'list' | 'byIndex' | 'onChange'>;
    networks: Pick<Reflector<NetworkResource>, 'get' | 'byIndex' | 'onChange'>;
  };
  chainOf: ChainOf;
  journals: Journals;
  signers: Signers;
  contracts: TokenContracts;
  events: RelayEvents;
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
 * Carries CCIP's messages between networks, for one term of leadership: one key for each network that they come from, the
 * `namespace/name` of its journal.
 */
export function createRelayController(deps: RelayDeps, settings: ControllerSettings = {}): Controller {
  const { caches, clock, log } = deps;
  const name = 'relay';
  const metrics = settings.metrics?.(name);
  const common = { clock, log, name, ...compact({ metrics }) };
  const queue = createWorkQueue(common);
  const add = ({ metadata }: Stored<JournalResource>) => queue.add(`${metadata.namespace}/${metadata.name}`);
  return {
    name,
    async run(signal) {
      const reconcile = createRelayReconcile(deps, signal);
      const controller = createController({ ...common, queue, reconcile, workers });
      const stops = [
        caches.journals.onChange(({ object }) => add(object)),
        caches.networks.onChange(({ object }) => {
          caches.journals.byIndex('network', object.metadata.uid).forEach(add);
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
  const verifyChain = createVerifyChain({ networks: caches.networks, chainOf: deps.chainOf });
  const positions = new Map<string, PositionStore>();
  const standingOf = (journal: JournalResource) =>
    verifyChain({ ...chainIn(journal.spec.scope), hash: hashIn(journal) });

  function positionsIn(namespace: string): PositionStore {
    const known = positions.get(namespace) ?? cachePositions(deps.journals.positionsIn(namespace));
    positions.set(namespace, known);
    return known;
  }

  /** Journals that messages may lead to: those on chains that are not gone. */
  async function reachable({ metadata }: JournalResource): Promise<JournalResource[]> {
    const all = caches.journals.byIndex('namespace', metadata.namespace ?? '');
    const standings = await Promise.all(all.map(standingOf));
    return all.filter((_, index) => standings[index] !== 'gone');
  }

  /** Whether there is more to read at once; undefined when nothing can come from there. */
  async function pass(journal: JournalResource): Promise<boolean | undefined> {
    const { namespace } = journal.metadata;
    if (!isComplete(journal) || (await standingOf(journal)) !== 'current') return undefined;
    const endpoints = (await reachable(journal)).map(endpointOf);
    const protocol = ccipRelayProtocol(endpoints, deps.contracts);
    const { network, incarnation } = chainIn(journal.spec.scope);
    const source = protocol.sources.find((one) => one.network === network && one.incarnation === incarnation);
    if (!source) return undefined;
    const kept = positionsIn(namespace);
    const relay = createRelay(protocol, {
      positions: {
        load: async (key) => (await kept.load(key)) ?? { block: firstBlockOf(journal), waiting: [] },
        save: kept.save,
      },
      clock,
      events: deps.events,
      chain: async (uid) => chainOf(uid, namespace, endpoints),
    });
    return relay.pass(source);
  }

  function chainOf(uid: string, namespace: string, endpoints: readonly CcipNetwork[]) {
    const enclaveID = caches.networks.byIndex('uid', uid)[0]?.status?.enclaveID ?? '';
    const isOlder = endpoints.find(({ id }) => id === uid)?.incarnation !== enclaveID;
    const service = signers.serviceOf(namespace);
    return deps.chainOf(uid, { enclaveID, isOlder, signers: { service }, signal });
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
      deps.events.interrupted(chainIn(journal.spec.scope).network, error);
      return { requeueAfterMs: pauseAfterErrorMs };
    }
  };
}
