import type { GatewayLimits, RpcGatewayDeps } from '../deps.ts';
import type { Bridge } from './bridge.ts';
import { closeCodes } from './closeCodes.ts';

/** The open WebSocket connections by network. */
export interface Bridges {
  /** False if the network has reached its limit. */
  hasRoom(networkUid: string): boolean;
  /** Returns a function that removes the bridge again. */
  add(networkUid: string, bridge: Bridge): () => void;
  close(): void;
}

/** Closes the connections of networks that are deleted or stopped, or whose access key was replaced, and pings the others periodically. */
export function createBridges(
  { networks, clock }: Pick<RpcGatewayDeps, 'networks' | 'clock'>,
  limits: GatewayLimits,
): Bridges {
  const byNetwork = new Map<string, Set<Bridge>>();
  const closeAll = (uid: string, reason: string) => {
    for (const bridge of byNetwork.get(uid) ?? []) bridge.close(closeCodes.goingAway, reason);
  };
  const removeListener = networks.onChange((uid) => {
    if (!byNetwork.has(uid)) return;
    const network = networks.find(uid);
    if (!network || network.isDeleting) return closeAll(uid, 'the network was deleted');
    const isStopped = network.state === 'Stopping' || network.state === 'Stopped';
    if (isStopped) return closeAll(uid, 'the network was stopped: connect again to wake it');
    for (const bridge of byNetwork.get(uid) ?? []) {
      if (!bridge.isCurrent())
        bridge.close(closeCodes.policyViolation, 'the access key was replaced: use the new URL');
    }
  });
  const pingAll = () => {
    for (const bridges of byNetwork.values()) for (const bridge of bridges) bridge.ping();
    cancelPing = clock.after(limits.pingMs, pingAll);
  };
  let cancelPing = clock.after(limits.pingMs, pingAll);

  return {
    hasRoom: (uid) => (byNetwork.get(uid)?.size ?? 0) < limits.socketsPerNetwork,
    add(uid, bridge) {
      const bridges = byNetwork.get(uid) ?? new Set();
      byNetwork.set(uid, bridges.add(bridge));
      return () => {
        bridges.delete(bridge);
        if (bridges.size === 0 && byNetwork.get(uid) === bridges) byNetwork.delete(uid);
      };
    },
    close() {
      cancelPing();
      removeListener();
      for (const uid of byNetwork.keys()) closeAll(uid, 'the server is shutting down: connect again');
    },
  };
}
