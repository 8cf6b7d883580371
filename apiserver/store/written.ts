import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { annotations, writtenLease } from '../../core/api/names.ts';
import { backoffMs } from '../../core/kube/backoff.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { parseVersion } from '../../core/kube/objects.ts';
import { type Lease, leaseType } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { createSerializedWriter } from '../../core/lib/work/serializedWriter.ts';

/** By kind, the newest resourceVersion that is known to have been written or read. */
type Versions = ReadonlyMap<string, bigint>;

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
}

export interface WrittenOptions {
  kube: Pick<Kube, 'get' | 'create' | 'replace' | 'patch'>;
  /** Of the service. */
  namespace: string;
  clock: Clock;
  /** Of this process, and of no other before or beside it. */
  replica?: string;
}

/** More entries than this, mostly of processes that have ended, become one. */
const maxEntries = 16;
const maxAttempts = 8;

const versionsSchema = z.record(z.string(), z.string());

/**
 * The versions are on one Lease, an annotation for each replica: a patch of it has no conflicts, and reading an object by its
 * name is the cheapest read that is never behind (docs/decisions/0111).
 */
export function createWritten(options: WrittenOptions): Written {
  const { kube, namespace, clock, replica = randomBytes(6).toString('hex') } = options;
  const ref = { namespace, name: writtenLease };
  const known = new Map<string, bigint>();
  /** What is on the Lease. */
  const published = new Map<string, bigint>();
  const writer = createSerializedWriter<undefined, undefined>({ write });

  function learn(lease: Lease | undefined): void {
    for (const [kind, version] of versionsOn(lease)) {
      raise(published, kind, version);
      raise(known, kind, version);
    }
  }

  /** Somebody else may create the Lease at the same time, and many may patch it. */
  async function write(_: string, group: readonly unknown[]): Promise<undefined[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const lease = await writeOnce();
        learn(lease);
        void foldEntries(kube, lease).catch(() => undefined);
        return group.map(() => undefined);
      } catch (error) {
        if (!isAppError(error, 'Conflict') || attempt === maxAttempts) throw error;
        await clock.sleep(backoffMs(attempt, { baseMs: 4, maxMs: 200 }));
      }
    }
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
    note: (kind, version) => raise(known, kind, version),
    async publish() {
      const isPublished = [...known].every(([kind, version]) => (published.get(kind) ?? 0n) >= version);
      if (!isPublished) await writer.write(writtenLease, undefined);
    },
    async read() {
      const lease = await kube.get(leaseType, ref);
      published.clear();
      learn(lease);
    },
    known: () => known,
  };
}

function raise(versions: Map<string, bigint>, kind: string, version: bigint): void {
  if ((versions.get(kind) ?? 0n) < version) versions.set(kind, version);
}

/** Puts all entries into one. An entry of a replica that lives comes back with its next write. */
async function foldEntries(kube: Pick<Kube, 'replace'>, { metadata }: Stored<Lease>): Promise<void> {
  const names = Object.keys(metadata.annotations ?? {}).filter(isEntry);
  if (names.length <= maxEntries) return;
  const folded = new Map<string, bigint>();
  for (const [kind, version] of versionsOn({ metadata })) raise(folded, kind, version);
  const all = { ...metadata.annotations, [`${annotations.written}past`]: textOf(folded) };
  for (const name of names) if (!name.endsWith('past')) delete all[name];
  // With its resourceVersion: nothing that somebody has written meanwhile is lost.
  await kube.replace(leaseType, leaseWith({ ...metadata, annotations: all }));
}

const isEntry = (name: string) => name.startsWith(annotations.written);

function leaseWith(metadata: Lease['metadata']): Lease {
  return { apiVersion: 'coordination.k8s.io/v1', kind: leaseType.kind, metadata, spec: {} };
}

function textOf(versions: Versions): string {
  return JSON.stringify(Object.fromEntries([...versions].map(([kind, version]) => [kind, String(version)])));
}

type Annotated = { metadata: Pick<Lease['metadata'], 'annotations'> };

/** An entry that somebody corrupted by hand says nothing. */
function versionsOn(lease: Annotated | undefined): [string, bigint][] {
  const entries = Object.entries(lease?.metadata.annotations ?? {}).filter(([name]) => isEntry(name));
  return entries.flatMap(([, text]) => {
    try {
      const versions = versionsSchema.parse(JSON.parse(text));
      return Object.entries(versions).map(([kind, version]): [string, bigint] => [
        kind,
        parseVersion(version),
      ]);
    } catch {
      return [];
    }
  });
}
