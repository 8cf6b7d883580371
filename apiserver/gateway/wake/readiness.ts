import { type BoundedMap, createBoundedMap } from '../../../core/lib/boundedMap.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Caller } from '../caller.ts';
import type { GatewayLimits, RpcGatewayDeps, RpcNetwork, Upstream } from '../deps.ts';
import type { GatewayMetrics } from '../metrics.ts';

/** Where to send a call, or the error to answer it with. */
export type Verdict = { upstream: Upstream } | { error: AppError };

export interface Readiness {
  /** The current verdict; undefined while the network is starting. */
  now(networkUid: string, ports: readonly string[]): Verdict | undefined;
  /** Waits for a verdict for at most holdSeconds; undefined if the caller disconnects. */
  wait(networkUid: string, ports: readonly string[], caller: Caller): Promise<Verdict | undefined>;
  /** Waits for any change of the network, at most `waitMs`. */
  nextChange(networkUid: string, waitMs: number): Promise<void>;
  /** Answers all current and future waiters with Unavailable. */
  close(): void;
}

type Deps = Pick<RpcGatewayDeps, 'networks' | 'upstreams' | 'wake' | 'settings' | 'clock'>;

/** A network that another replica just created may not be in the cache yet; its access key proves that it exists. */
export const unknownGraceMs = 2000;
const maxDeparted = 10_000;

/** Decides when networks can be called and holds calls until then. Driven by events only. */
export function createReadiness(deps: Deps, limits: GatewayLimits, metrics: GatewayMetrics): Readiness {
  const waiters = new Map<string, Set<() => void>>();
  const departed = createBoundedMap<string, true>(maxDeparted);
  let total = 0;
  let isClosed = false;

  const recheck = (uid: string) => {
    for (const waiter of [...(waiters.get(uid) ?? [])]) waiter();
  };
  const removeListeners = [
    deps.networks.onChange((uid) => {
      noteDeparture(departed, uid, deps.networks.find(uid));
      recheck(uid);
    }),
    deps.upstreams.onChange(recheck),
  ];

  const now: Readiness['now'] = (uid, ports) => {
    if (isClosed) return { error: starting() };
    const network = deps.networks.find(uid);
    if (!network) return departed.has(uid) ? { error: notFound() } : undefined;
    return verdictOn(network, findUpstream(deps, uid, ports));
  };

  function enter(uid: string, waiter: () => void): () => void {
    const group = waiters.get(uid) ?? new Set();
    waiters.set(uid, group.add(waiter));
    total++;
    metrics.held(1);
    return () => {
      group.delete(waiter);
      if (group.size === 0) waiters.delete(uid);
      total--;
      metrics.held(-1);
    };
  }

  const wait: Readiness['wait'] = (uid, ports, caller) => {
    const isFull = total >= limits.held || (waiters.get(uid)?.size ?? 0) >= limits.heldPerNetwork;
    if (caller.destroyed) return Promise.resolve(undefined);
    if (isFull) return Promise.resolve({ error: starting() });
    const isKnown = deps.networks.find(uid) !== undefined;
    const holdMs = deps.settings.holdSeconds * 1000;
    return new Promise((resolve) => {
      const settle = (verdict: Verdict | undefined | Promise<Verdict | undefined>) => {
        leave();
        cancel();
        caller.off('close', abandon);
        resolve(verdict);
      };
      const abandon = () => settle(undefined);
      const waiter = () => {
        const verdict = now(uid, ports);
        if (verdict) return settle(verdict);
        const network = deps.networks.find(uid);
        if (network?.state === 'Stopped') deps.wake(uid);
        if (network && !isKnown) settle(wait(uid, ports, caller));
      };
      const giveUp = () => settle({ error: isKnown ? starting() : notFound() });
      const leave = enter(uid, waiter);
      const cancel = deps.clock.after(isKnown ? holdMs : Math.min(holdMs, unknownGraceMs), giveUp);
      caller.once('close', abandon);
      waiter();
    });
  };

  const nextChange: Readiness['nextChange'] = (uid, waitMs) =>
    new Promise((resolve) => {
      const settle = () => {
        leave();
        cancel();
        resolve();
      };
      const leave = enter(uid, settle);
      const cancel = deps.clock.after(waitMs, settle);
    });

  return {
    now,
    wait,
    nextChange,
    close() {
      isClosed = true;
      for (const remove of removeListeners) remove();
      for (const uid of [...waiters.keys()]) recheck(uid);
    },
  };
}

function verdictOn(network: RpcNetwork, upstream: Upstream | undefined): Verdict | undefined {
  if (network.isDeleting) return { error: notFound() };
  if (network.state === 'Operational' && upstream) return { upstream };
  if (network.state !== 'Error') return undefined;
  const reason = network.message ? `: ${network.message}` : '';
  return {
    error: new AppError('Unavailable', `the network is in state Error${reason}`, { retryAfterSeconds: 5 }),
  };
}

/** The upstream of the first port name that has one. */
export function findUpstream(deps: Deps, uid: string, ports: readonly string[]): Upstream | undefined {
  for (const port of ports) {
    const upstream = deps.upstreams.find(uid, port);
    if (upstream) return upstream;
  }
  return undefined;
}

/** One answer for everything that does not exist or is closed to this caller. */
export function notFound(): AppError {
  return new AppError('NotFound', 'endpoint not found: check the URL against the endpoints of the network');
}

function starting(): AppError {
  return new AppError('Unavailable', 'the network is starting; retry', { retryAfterSeconds: 2 });
}

function noteDeparture(
  departed: BoundedMap<string, true>,
  uid: string,
  network: RpcNetwork | undefined,
): void {
  if (network) return void departed.delete(uid);
  departed.set(uid, true);
}
