import { withDeadline } from '../../../core/lib/deadline.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import type { GatewayLimits, RpcGatewayDeps } from '../deps.ts';
import { createCounts } from '../proxy/counts.ts';
import type { Bridge } from './bridge.ts';
import { closeCodes } from './closeCodes.ts';

/** The WebSocket connections of this replica. */
export interface Bridges {
  /**
   * Counts a connection before it is opened. Throws TooManyRequests if its network, its key or its source address has too many.
   * Returns a function that ends it.
   */
  enter(by: { networkUid: string; key: string; source: string }): () => void;
  /** Adds an open connection. Returns a function that removes it again. */
  add(networkUid: string, bridge: Bridge): () => void;
  /** Tells every client to connect again, and resolves when their connections are closed. */
  close(): Promise<void>;
}

/** How long clients may take to answer the close frame. */
const closeMs = 2000;

/** Closes the connections of networks that are deleted or stopped, or whose access key was replaced, and pings the others periodically. */
export function createBridges(
  { networks, clock, namedKeys }: Pick<RpcGatewayDeps, 'networks' | 'clock' | 'namedKeys'>,
  limits: GatewayLimits,
  metrics: Pick<BudgetMetrics, 'refused'>,
): Bridges {
  const byNetwork = new Map<string, Set<Bridge>>();
  let onEmpty = () => {};
  const all = () => [...byNetwork.values()].flatMap((bridges) => [...bridges]);
  const closeAll = (uid: string, reason: string) => {
    for (const bridge of byNetwork.get(uid) ?? []) bridge.close(closeCodes.goingAway, reason);
  };
  const removeListener = networks.onChange((uid) => {
    if (!byNetwork.has(uid)) return;
    const network = networks.find(uid);
    if (!network || network.isDeleting) return closeAll(uid, 'the network was deleted');
    const isStopped = network.state === 'Stopping' || network.state === 'Stopped';
    if (isStopped) return closeAll(uid, 'the network was stopped: connect again to wake it');
    closeEnded(byNetwork.get(uid) ?? []);
  });
  const removeKeyListener = namedKeys?.onChange(() => closeEnded(all()));
  const pingAll = () => {
    closeEnded(all());
    for (const bridge of all()) bridge.ping();
    cancelPing = clock.after(limits.pingMs, pingAll);
  };
  let cancelPing = clock.after(limits.pingMs, pingAll);

  return {
    enter: createEntrance(limits, metrics),
    add(uid, bridge) {
      const bridges = byNetwork.get(uid) ?? new Set();
      byNetwork.set(uid, bridges.add(bridge));
      return () => {
        bridges.delete(bridge);
        if (bridges.size === 0 && byNetwork.get(uid) === bridges) byNetwork.delete(uid);
        if (byNetwork.size === 0) onEmpty();
      };
    },
    async close() {
      cancelPing();
      removeListener();
      removeKeyListener?.();
      if (byNetwork.size === 0) return;
      const { promise: empty, resolve } = Promise.withResolvers<void>();
      onEmpty = resolve;
      for (const bridge of all())
        bridge.close(closeCodes.serviceRestart, 'the server restarts: connect again');
      const onLate = () => {
        for (const bridge of all()) bridge.terminate();
      };
      await withDeadline({ clock, limitMs: closeMs, onLate }, empty);
    },
  };
}

function closeEnded(bridges: Iterable<Bridge>): void {
  for (const bridge of bridges) {
    if (!bridge.isCurrent())
      bridge.close(closeCodes.policyViolation, 'the access key was replaced or has ended: use another URL');
  }
}

/** How many of the connections of a network one of its keys may have: there are some left for its owner. */
const portionOfKey = 7 / 8;

/** Counts connections by network, by key and by source address. */
function createEntrance(limits: GatewayLimits, metrics: Pick<BudgetMetrics, 'refused'>): Bridges['enter'] {
  const networks = createCounts();
  const keys = createCounts();
  const sources = createCounts();
  const mostOfKey = Math.ceil(limits.socketsPerNetwork * portionOfKey);
  return ({ networkUid, key: name, source }) => {
    const key = `${networkUid}/${name}`;
    const isNetworkFull = networks.of(networkUid) >= limits.socketsPerNetwork || keys.of(key) >= mostOfKey;
    if (isNetworkFull || sources.of(source) >= limits.socketsPerSource) {
      metrics.refused(isNetworkFull ? 'networkSockets' : 'sourceSockets');
      throw tooMany(isNetworkFull ? 'the network, or its key in the URL, has' : 'your address has');
    }
    const leaves = [networks.add(networkUid), keys.add(key), sources.add(source)];
    return () => {
      for (const leave of leaves) leave();
    };
  };
}

function tooMany(who: string): AppError {
  return new AppError('TooManyRequests', `${who} too many open WebSocket connections: close some and retry`, {
    retryAfterSeconds: 5,
  });
}
