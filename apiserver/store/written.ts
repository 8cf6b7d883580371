import { randomBytes } from 'node:crypto';
import { annotations, writtenLease } from '../../core/api/names.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { retryOnConflict } from '../../core/kube/retryOnConflict.ts';
import { type Lease, leaseType } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { backoffMs } from '../../core/lib/work/backoff.ts';
import { createSerializedWriter } from '../../core/lib/work/serializedWriter.ts';
import {
  foldEntries,
  leaseWith,
  lowerEntries,
  type Retraction,
  raise,
  textOf,
  type Versions,
  versionsOn,
} from './writtenEntries.ts';

/** The newest version of each kind that a replica has acknowledged: the same for all replicas, and no older than any answer. */
export interface Written {
  /** Remembers a version that this replica is about to acknowledge. */
  note(kind: string, version: bigint): void;
  /** Resolves when every replica can read what was noted before. */
  publish(): Promise<void>;
  /** Reads what all replicas have published. */
  read(): Promise<void>;
  /** What was noted here, and what was published by anybody when it was last read. */
  known(): Versions;
  /** The versions of a kind that somebody named, as far as is known. */
  claims(kind: string): ReadonlySet<bigint>;
  /**
   * Forgets those versions of a kind that the cluster has not reached, although all that was written has been seen: they are of
   * another history, as after etcd was restored from a backup. In the background, also for other replicas.
   */
  retract(kind: string, retraction: Retraction): void;
}

export interface WrittenOptions {
  kube: Pick<Kube, 'get' | 'create' | 'replace' | 'patch'>;
  /** Of the service. */
  namespace: string;
  clock: Clock;
  /** Of this process, and of no other before or beside it. */
  replica?: string;
}

const maxAttempts = 8;

/**
 * The versions are on one Lease, an annotation for each replica: a patch of it has no conflicts, and reading an object by its
 * name is the cheapest read that is never behind (docs/decisions/0111).
 */
export function createWritten(options: WrittenOptions): Written {
  const { kube, namespace, clock, replica = randomBytes(6).toString('hex') } = options;
  const ref = { namespace, name: writtenLease };
  const knowledge = createKnowledge();
  const { known } = knowledge;
  const writer = createSerializedWriter<undefined, undefined>({ write });

  /** Somebody else may create the Lease at the same time, and many may patch it. */
  async function write(_: string, group: readonly unknown[]): Promise<undefined[]> {
    const pause = (attempt: number) => clock.sleep(backoffMs(attempt, { baseMs: 4, maxMs: 200 }));
    const lease = await retryOnConflict({ attempts: maxAttempts, pause }, writeOnce);
    knowledge.learn(versionsOn(lease));
    void foldEntries(kube, lease).catch(() => undefined);
    return group.map(() => undefined);
  }

  async function writeOnce(): Promise<Stored<Lease>> {
    const own = { [`${annotations.written}${replica}`]: textOf(known) };
    try {
      return await kube.patch(leaseType, ref, { metadata: { annotations: own } });
    } catch (error) {
      if (!isAppError(error, 'NotFound')) throw error;
      return kube.create(leaseType, leaseWith({ ...ref, annotations: own }));
    }
  }

  return {
    note: knowledge.note,
    async publish() {
      if (!knowledge.isPublished()) await writer.write(writtenLease, undefined);
    },
    async read() {
      const lease = await kube.get(leaseType, ref);
      knowledge.forgetPublished();
      knowledge.learn(versionsOn(lease));
    },
    known: () => known,
    claims: knowledge.claims,
    retract(kind, retraction) {
      if (knowledge.retract(kind, retraction))
        void lowerEntries(kube, { ref, kind, ...retraction }).catch(() => undefined);
    },
  };
}

/** What this process knows of the versions, and of what is on the Lease. */
function createKnowledge() {
  const known = new Map<string, bigint>();
  const published = new Map<string, bigint>();
  let onLease: readonly [kind: string, version: bigint][] = [];
  /** What was noted below what is known: the newest of it counts if that turns out to be wrong. */
  const below = new Map<string, bigint>();
  const knownOf = (kind: string) => known.get(kind) ?? 0n;
  return {
    known,
    note(kind: string, version: bigint) {
      if (version < knownOf(kind)) raise(below, kind, version);
      raise(known, kind, version);
    },
    learn(versions: readonly [kind: string, version: bigint][]) {
      onLease = versions;
      for (const [kind, version] of versions) {
        raise(published, kind, version);
        raise(known, kind, version);
      }
    },
    forgetPublished: () => published.clear(),
    isPublished: () => [...known].every(([kind, version]) => (published.get(kind) ?? 0n) >= version),
    claims(kind: string): ReadonlySet<bigint> {
      return new Set([...onLease.filter(([of]) => of === kind).map(([, version]) => version), knownOf(kind)]);
    },
    /** Whether what was known was wrong. */
    retract(kind: string, { claims, seen }: Retraction): boolean {
      const current = knownOf(kind);
      if (current <= seen || !claims.has(current)) return false;
      const noted = below.get(kind) ?? 0n;
      known.set(kind, noted > seen && noted < current ? noted : seen);
      below.delete(kind);
      published.delete(kind);
      return true;
    },
  };
}
