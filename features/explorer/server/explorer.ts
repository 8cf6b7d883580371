import type { FindContract } from '../../../apiserver/contracts.ts';
import type { AccessWatch } from '../../../apiserver/events/accessWatch.ts';
import { createStreams } from '../../../apiserver/events/streams.ts';
import type { UpstreamLookup } from '../../../apiserver/gateway/deps.ts';
import type { CallerLimits } from '../../../apiserver/http/limits/callerLimits.ts';
import type { Cursors } from '../../../apiserver/http/paging/cursor.ts';
import { byUid } from '../../../apiserver/store/cache.ts';
import type { Caches } from '../../../apiserver/store/caches.ts';
import type { StoredKinds } from '../../../apiserver/store/storedKinds.ts';
import type { Installation } from '../../../core/api/installation.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { stopAll } from '../../../core/lib/work/stopAll.ts';
import { openHeads } from '../../../core/networks/heads/openHeads.ts';
import { createSharedHeads } from '../../../core/networks/heads/sharedHeads.ts';
import { isRunning } from '../../../core/networks/incarnation.ts';
import { createOriginPools } from '../../../core/outbound/originPools.ts';
import { createExplorerHandlers } from './handlers.ts';
import { createHistoryHandlers } from './history/handlers.ts';
import { createIndexes } from './history/indexes.ts';
import { socketUrl, subscriptionOf } from './places.ts';
import { createFindAbi } from './suiteAbis.ts';

export interface ExplorerOptions {
  findContract: FindContract;
  caches: Pick<Caches, 'networks'>;
  kinds: Pick<StoredKinds, 'networks' | 'tokens'>;
  upstreams: UpstreamLookup;
  access: AccessWatch;
  /** How many streams of blocks may be open: as many as streams of events. */
  eventStreams: Installation['limits']['eventStreams'];
  limits: Pick<CallerLimits, 'memory' | 'places' | 'budgets' | 'shares'>;
  /** The folder of the contracts of tokens. */
  contracts: string;
  cursors: Cursors;
  clock: Clock;
}

const connections = { connections: 8, pipelining: 1, allowH2: false, connect: { timeout: 5000 } };

/** What explorers of networks read. `close` ends its streams and connections. */
export function createExplorer(options: ExplorerOptions) {
  const { findContract, kinds, upstreams, limits, clock } = options;
  const agent = createOriginPools(connections);
  const streams = createStreams({
    limits: options.eventStreams,
    budgets: limits.budgets,
    shares: limits.shares,
    metrics: { streams: () => {}, ended: () => {} },
    access: options.access,
  });
  const heads = headsOf(options);
  const handlers = createExplorerHandlers({
    findContract,
    find: kinds.networks.find,
    tokens: kinds.tokens.cache,
    upstreams,
    agent,
    clock,
    heads,
    streams,
    memory: limits.memory,
    places: limits.places,
    findAbi: createFindAbi(options.contracts),
  });
  const history = createHistoryHandlers({
    find: kinds.networks.find,
    upstreams,
    indexes: createIndexes(limits.shares),
    cursors: options.cursors,
    memory: limits.memory,
    agent,
    clock,
  });
  return {
    handlers: { ...handlers, ...history },
    close() {
      streams.close();
      heads.close();
      void agent.destroy();
    },
  };
}

/** The newest blocks of networks, as their nodes announce them. */
function headsOf({ caches, upstreams, clock }: Pick<ExplorerOptions, 'caches' | 'upstreams' | 'clock'>) {
  return createSharedHeads({
    endpointOf(uid) {
      const [network] = caches.networks.byIndex(byUid, uid);
      const subscription = network && isRunning(network) ? subscriptionOf(network) : undefined;
      const url = network && socketUrl(upstreams, network);
      return subscription && url ? { subscription, url } : undefined;
    },
    onChange(listener) {
      return stopAll([
        caches.networks.onChange(({ object }) => listener(object.metadata.uid)),
        upstreams.onChange(listener),
      ]);
    },
    open: openHeads,
    clock,
  });
}
