import { parseRfc3339, toRfc3339 } from '../../lib/clock.ts';
import { formatDuration, parseDuration } from '../../lib/duration.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { Installation } from '../installation.ts';
import type { NetworkResource, NetworkSpec } from '../resources/network.ts';

/** The longest times that a network may ask for. */
export type LifetimeLimits = Pick<Installation, 'idle' | 'expiry'>;

/** How long a network may be idle: what its spec says, up to the limit of the installation, or what that has by default. */
export function idleMsOf({ idleAfter }: NetworkSpec, { idle }: LifetimeLimits): number {
  if (idleAfter === undefined) return idle.afterSeconds * 1000;
  return Math.min(parseDuration(idleAfter), idle.maxAfterSeconds * 1000);
}

/** Says that idleAfter has no effect on a network that stops on request alone; undefined where it has. */
export function idleCaveat({ idleAfter, persistent }: NetworkSpec): string | undefined {
  if (idleAfter === undefined || !persistent) return undefined;
  return 'spec.idleAfter has no effect on a persistent network, which stops on request alone';
}

interface Expiry {
  atMs: number;
  /** Counted from its creation. */
  lifetimeMs: number;
}

/** When a network is deleted because of spec.expiresAfter; undefined if it never is. */
export function expiryOf(
  { metadata, spec }: Pick<NetworkResource, 'metadata' | 'spec'>,
  { expiry }: LifetimeLimits,
): Expiry | undefined {
  const createdMs = parseRfc3339(metadata.creationTimestamp);
  if (spec.expiresAfter === undefined || createdMs === undefined) return undefined;
  const lifetimeMs = Math.min(parseDuration(spec.expiresAfter), expiry.maxAfterSeconds * 1000);
  return { atMs: createdMs + lifetimeMs, lifetimeMs };
}

/** The times in a spec that are longer than the installation allows. */
export function refuseLifetimes(spec: NetworkSpec, { idle, expiry }: LifetimeLimits): ErrorDetail[] {
  const rows = [
    ['idleAfter', idle.maxAfterSeconds, 'idle.maxAfter'],
    ['expiresAfter', expiry.maxAfterSeconds, 'expiry.maxAfter'],
  ] as const;
  return rows.flatMap(([field, maxSeconds, value]) => {
    const wanted = spec[field];
    if (wanted === undefined || parseDuration(wanted) <= maxSeconds * 1000) return [];
    const limit = `this installation allows ${formatDuration(maxSeconds * 1000)} at most (${value})`;
    return [{ path: `spec.${field}`, message: `${wanted} is too long: ${limit}` }];
  });
}

/** Refuses an expiry in the past: the network would be deleted at once. */
export function refusePastExpiry(
  network: Pick<NetworkResource, 'metadata' | 'spec'>,
  limits: LifetimeLimits,
  nowMs: number,
): ErrorDetail[] {
  const expiry = expiryOf(network, limits);
  if (!expiry || expiry.atMs > nowMs) return [];
  const message = `ended at ${toRfc3339(expiry.atMs)}: set a longer time, counted from the creation, or delete the network`;
  return [{ path: 'spec.expiresAfter', message }];
}
