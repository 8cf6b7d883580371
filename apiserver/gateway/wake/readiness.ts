import type { BoundedMap } from '../../../core/lib/boundedMap.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createRecentMap } from '../../../core/lib/recentMap.ts';
import { noBudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import type { Closing } from '../../http/limits/closing.ts';
import type { GatewayLimits, RpcGatewayDeps, RpcNetwork, Upstream } from '../deps.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { createWaiters, hold, type Waiters } from './waiters.ts';

/** Where to send a call, or the error to answer it with. */
export type Verdict = { upstream: Upstream } | { error: AppError };

export interface Readiness {
  /** The current verdict; undefined while the network is starting. */
  now(networkUid: string, ports: readonly string[]): Verdict | undefined;
  /** Waits for a verdict for at most holdSeconds; undefined if the caller disconnects. */
  wait(networkUid: string, ports: readonly string[], caller: Closing): Promise<Verdict | undefined>;
  /** Waits for any change of the network, at most `waitMs`. Resolves to an error if no more callers may wait. */
  nextChange(networkUid: string, waitMs: number): Promise<AppError | undefined>;
  /** Answers all current and future waiters with Unavailable. */
  close(): void;
}

type Deps = Pick<
  RpcGatewayDeps,
  'networks' | 'upstreams' | 'wake' | 'settings' | 'clock' | 'budgets' | 'shares'
>;

/** A network that another replica just created may not be in the cache yet; its access key proves that it exists. */
export const unknownGraceMs = 2000;
const maxDeparted = 10_000;
/** Who calls a network for the first time so long after its end waits as for an unknown one. */
const departedMs = 600_000;

/** Decides when networks can be called and holds calls until then. Driven by events only. */
export function createReadiness(deps: Deps, limits: GatewayLimits, metrics: GatewayMetrics): Readiness {
  const waiters = createWaiters({
    limits,
    metrics,
    budgets: deps.budgets ?? noBudgetMetrics,
    shareOf(uid) {
      const namespace = deps.networks.find(uid)?.namespace ?? '';
      return deps.shares?.of(namespace) ?? namespace;
    },
  });
  const departed = createRecentMap<string, true>({
    maxEntries: maxDeparted,
    ageMs: departedMs,
    clock: deps.clock,
  });
  let isClosed = false;
  const removeListeners = [
    deps.networks.onChange((uid, id) => {
      // Who calls a network that is not known yet has its id alone.
      for (const name of new Set([uid, id])) {
        noteDeparture(departed, name, deps.networks.find(uid) ?? deps.networks.at(name)[0]);
        waiters.notify(name);
      }
    }),
    deps.upstreams.onChange(waiters.notify),
  ];
  const now: Readiness['now'] = (uid, ports) => {
    if (isClosed) return { error: starting() };
    const network = deps.networks.find(uid);
    if (!network) return departed.has(uid) ? { error: notFound() } : undefined;
    const upstream = findUpstream(deps, uid, ports);
    return upstream
      ? verdictOn(network, upstream)
      : (failureOf(network, ports) ?? verdictOn(network, upstream));
  };
  return {
    now,
    wait: createWait(deps, waiters, now),
    nextChange: createNextChange(deps, waiters),
    close() {
      isClosed = true;
      for (const remove of removeListeners) remove();
      waiters.notifyAll();
    },
  };
}

function createNextChange({ clock }: Deps, waiters: Waiters): Readiness['nextChange'] {
  return async (uid, waitMs) =>
    waiters.refuse(uid) ??
    (await new Promise((resolve) => {
      const settle = () => {
        leave();
        cancel();
        resolve(undefined);
      };
      const leave = waiters.enter(uid, settle);
      const cancel = clock.after(waitMs, settle);
    }));
}

function createWait(deps: Deps, waiters: Waiters, now: Readiness['now']): Readiness['wait'] {
  const wait: Readiness['wait'] = (uid, ports, caller) => {
    if (caller.destroyed) return Promise.resolve(undefined);
    const refusal = waiters.refuse(uid);
    if (refusal) return Promise.resolve({ error: refusal });
    const isKnown = deps.networks.find(uid) !== undefined;
    const holdMs = deps.settings.holdSeconds * 1000;
    return hold<Verdict>({
      enter: (waiter) => waiters.enter(uid, waiter),
      clock: deps.clock,
      caller,
      limitMs: isKnown ? holdMs : Math.min(holdMs, unknownGraceMs),
      check() {
        const verdict = now(uid, ports);
        if (verdict) return verdict;
        const network = deps.networks.find(uid);
        if (network?.state === 'Stopped') deps.wake(uid);
        // A network that has become known is waited for as long as any other.
        return network && !isKnown ? wait(uid, ports, caller) : undefined;
      },
      late: () => ({ error: isKnown ? starting() : notFound() }),
    });
  };
  return wait;
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

/** A plugin that failed keeps callers of its services from waiting; the network itself runs. */
function failureOf({ state, isDeleting, failedServices = {} }: RpcNetwork, ports: readonly string[]) {
  const message = ports.map((port) => failedServices[port]).find((text) => text !== undefined);
  if (message === undefined || state !== 'Operational' || isDeleting) return undefined;
  return { error: new AppError('Unavailable', message, { retryAfterSeconds: 5 }) };
}

/** The upstream of the first port name that has one. */
function findUpstream(deps: Deps, uid: string, ports: readonly string[]): Upstream | undefined {
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
