import { type Clock, toRfc3339 } from '../../lib/clock.ts';
import { isAppError } from '../../lib/errors.ts';
import type { Kube, Stored } from '../kube.ts';
import type { Monotonic } from '../monotonic.ts';
import { type Lease, leaseType } from '../types.ts';

export interface LeaseLockOptions {
  kube: Pick<Kube, 'get' | 'create' | 'replace'>;
  namespace: string;
  name: string;
  /** Unique to this holder: not even an earlier process of the same pod has it. */
  identity: string;
  leaseDurationMs: number;
  clock: Clock;
  monotonic: Monotonic;
}

/** A distributed lock: a Lease that is held by renewing it. */
export interface LeaseLock {
  /** Takes or renews the lease; false when another holds it. Throws when the server does not answer. */
  tryHold(): Promise<boolean>;
  /** The time until the lease that another holds expires, as seen by this process; Infinity before the first look. */
  expiresInMs(): number;
  /** Releases the lease when it is held. */
  release(): Promise<void>;
}

/** Timestamps in a Lease are informational: another machine's clock is never compared with the local one. */
export function createLeaseLock(options: LeaseLockOptions): LeaseLock {
  const { kube, namespace, name, identity, monotonic } = options;
  let seen: { version: string; expiresAtMs: number } | undefined;

  /** A lease is expired when this process has seen it unchanged for its duration. */
  function isExpired(lease: Stored<Lease>): boolean {
    const version = lease.metadata.resourceVersion;
    const durationMs = (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
    if (seen?.version !== version) seen = { version, expiresAtMs: monotonic() + durationMs };
    return monotonic() >= seen.expiresAtMs;
  }

  function heldBy(former: Stored<Lease> | undefined): Lease {
    const now = `${toRfc3339(options.clock.nowMs()).slice(0, -1)}.000000Z`;
    const isRenewal = former?.spec?.holderIdentity === identity;
    const spec = {
      ...former?.spec,
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(options.leaseDurationMs / 1000),
      acquireTime: (isRenewal ? former.spec?.acquireTime : undefined) ?? now,
      renewTime: now,
      leaseTransitions: (former?.spec?.leaseTransitions ?? 0) + (former && !isRenewal ? 1 : 0),
    };
    const metadata = former?.metadata ?? { name, namespace };
    return { apiVersion: 'coordination.k8s.io/v1', kind: leaseType.kind, metadata, spec };
  }

  return {
    async tryHold() {
      const lease = await kube.get(leaseType, { namespace, name });
      const holder = lease?.spec?.holderIdentity;
      if (lease && holder && holder !== identity && !isExpired(lease)) return false;
      try {
        // The write has the resourceVersion that was read: of two concurrent writers, one fails.
        await (lease ? kube.replace(leaseType, heldBy(lease)) : kube.create(leaseType, heldBy(undefined)));
        return true;
      } catch (error) {
        if (isAppError(error, 'Conflict')) return false;
        throw error;
      }
    },
    expiresInMs: () => (seen ? seen.expiresAtMs - monotonic() : Number.POSITIVE_INFINITY),
    async release() {
      const lease = await kube.get(leaseType, { namespace, name });
      if (lease?.spec?.holderIdentity !== identity) return;
      const { holderIdentity: _, ...spec } = lease.spec;
      await kube.replace(leaseType, { ...lease, spec: { ...spec, leaseDurationSeconds: 1 } });
    },
  };
}
