import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { annotations, writerLeases } from '../../core/api/names.ts';
import { backoffMs } from '../../core/kube/backoff.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { type Lease, leaseType } from '../../core/kube/types.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { isAppError, messageOf } from '../../core/lib/errors.ts';
import { hashOf } from '../../core/lib/hash.ts';
import type { Log } from '../../core/lib/log.ts';
import { createSerializedWriter } from '../../core/lib/work/serializedWriter.ts';

/** Which replicas create and delete objects, so that a list knows whether it must ask for what it has not seen. */
export interface Writers {
  /** Resolves when every replica can see that this one writes in a namespace. Call it before a write is answered. */
  announce(namespace: string): Promise<void>;
  /** Whether another replica may have written in a namespace since `sinceMs` of the cluster's time, at most an hour ago. */
  hasOthers(namespace: string, sinceMs: number): Promise<boolean>;
}

export interface WritersOptions {
  kube: Pick<Kube, 'get' | 'create' | 'replace' | 'serverTimeMs'>;
  /** Of the service. */
  namespace: string;
  clock: Clock;
  log: Log;
  /** Of this process, and of no other before or beside it. */
  replica?: string;
}

/** An announcement holds for this long, and is renewed by a write when less than this is left of it. */
const announcedMs = 60_000;
const renewedMs = 40_000;
/** The clocks of two kube-apiservers differ by less. */
const skewMs = 15_000;
/** What must be left of it: as long as a write may take, and the skew. */
const leastMs = 10_000 + skewMs;
/** How long an announcement that has ended is kept: longer than anybody asks about. */
const keptMs = 2 * 3600_000;
const maxAttempts = 12;
/** Namespaces. Of others it is asked again. */
const maxRemembered = 10_000;

/** By namespace and replica: the end of its announcement, in seconds since the epoch. */
const announcementsSchema = z.record(z.string(), z.record(z.string(), z.number()));
type Announcements = z.infer<typeof announcementsSchema>;

/** Announcements in a few Leases of the service's namespace: reading one by its name is the cheapest consistent read. */
export function createWriters(options: WritersOptions): Writers {
  const { kube, namespace: home } = options;
  const replica = options.replica ?? randomBytes(6).toString('hex');
  /** The last ends of announcements that are known of other replicas, in milliseconds. */
  const ends = createBoundedMap<string, number>(maxRemembered);
  return {
    announce: createAnnounce({ ...options, replica }),
    async hasOthers(namespace, sinceMs) {
      if ((ends.get(namespace) ?? 0) >= sinceMs) return true;
      const lease = await kube.get(leaseType, { namespace: home, name: leaseNameOf(namespace) });
      const announced = announcementsOf(lease);
      if (!announced) return true;
      const { [replica]: _, ...others } = announced[namespace] ?? {};
      const endMs = Math.max(0, ...Object.values(others)) * 1000 + skewMs;
      ends.set(namespace, endMs);
      return endMs >= sinceMs;
    },
  };
}

function createAnnounce(options: WritersOptions & { replica: string }): Writers['announce'] {
  const { kube, namespace: home, clock, log, replica } = options;
  const leases = new Map<string, Stored<Lease>>();
  const ends = createBoundedMap<string, number>(maxRemembered);
  const writer = createSerializedWriter<string, undefined>({ write });

  /** Other replicas may write the same Lease at the same time. */
  async function write(name: string, namespaces: readonly string[]): Promise<undefined[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await writeOnce(name, namespaces);
        return namespaces.map(() => undefined);
      } catch (error) {
        leases.delete(name);
        if (!isAppError(error, 'Conflict') || attempt === maxAttempts) throw error;
        await clock.sleep(backoffMs(attempt, { baseMs: 4, maxMs: 200 }));
      }
    }
  }

  async function writeOnce(name: string, namespaces: readonly string[]): Promise<void> {
    const lease = leases.get(name) ?? (await kube.get(leaseType, { namespace: home, name }));
    const nowMs = await kube.serverTimeMs();
    const endMs = nowMs + announcedMs;
    const announced = withoutEnded(announcementsOf(lease) ?? {}, nowMs - keptMs);
    for (const namespace of namespaces) {
      announced[namespace] = { ...announced[namespace], [replica]: Math.floor(endMs / 1000) };
    }
    const object = leaseWith(lease?.metadata ?? { name, namespace: home }, announced);
    leases.set(name, await (lease ? kube.replace(leaseType, object) : kube.create(leaseType, object)));
    for (const namespace of namespaces) ends.set(namespace, endMs);
  }

  return async (namespace) => {
    const leftMs = (ends.get(namespace) ?? 0) - (await kube.serverTimeMs());
    if (leftMs > renewedMs) return;
    const renewal = writer.write(leaseNameOf(namespace), namespace);
    if (leftMs < leastMs) return void (await renewal);
    renewal.catch((error) => log.debug('cannot announce writes yet', { reason: messageOf(error) }));
  };
}

function leaseNameOf(namespace: string): string {
  const index = Number.parseInt(hashOf(namespace).slice(0, 6), 16) % writerLeases.length;
  return writerLeases[index] ?? writerLeases[0];
}

/** Undefined when somebody corrupted it by hand. */
function announcementsOf(lease: Lease | undefined): Announcements | undefined {
  const text = lease?.metadata.annotations?.[annotations.writers];
  if (text === undefined) return {};
  try {
    return announcementsSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function withoutEnded(announced: Announcements, beforeMs: number): Announcements {
  const kept = Object.entries(announced).map(([namespace, ends]) => {
    return [namespace, Object.entries(ends).filter(([, end]) => end * 1000 >= beforeMs)] as const;
  });
  const present = kept.filter(([, ends]) => ends.length > 0);
  return Object.fromEntries(present.map(([namespace, ends]) => [namespace, Object.fromEntries(ends)]));
}

function leaseWith(metadata: Lease['metadata'], announced: Announcements): Lease {
  const own = { ...metadata.annotations, [annotations.writers]: JSON.stringify(announced) };
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: leaseType.kind,
    metadata: { ...metadata, annotations: own },
    spec: {},
  };
}
