import { apiVersion, fieldManagers } from '../../../core/api/names.ts';
import type { KubeObject, ResourceType, Stored } from '../../../core/api/resources/kubeObject.ts';
import { type Clock, parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { isAppError, messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { createThrottle } from '../../../core/lib/throttle.ts';
import type { Store } from '../../store/kubeErrors.ts';

const intervalMs = 60_000;

/** Records that a key was used. Never throws. */
export type NoteUse<T extends KubeObject> = (object: Stored<T>) => void;

interface LastUseDeps {
  kube: Pick<Store, 'apply'>;
  clock: Clock;
  log: Log;
}

/** The objects whose status has the last use of a key. */
interface LastUse<T extends KubeObject> {
  type: ResourceType<T>;
  read(object: Stored<T>): string | undefined;
  statusOf(lastUsedAt: string): object;
  /** Called when the object turns out to be deleted. */
  onGone?(object: Stored<T>): void;
}

/** Where most kinds have it. */
export const lastUsedAt = {
  read: ({ status }: { status?: { lastUsedAt?: string | undefined } }) => status?.lastUsedAt,
  statusOf: (lastUsedAt: string) => ({ lastUsedAt }),
};

/**
 * Writes the last use in the background, at most once a minute per object across all replicas, as far as the cache
 * shows. This also detects deleted objects if a watch has stalled.
 */
export function createNoteUse<T extends KubeObject>(
  { kube, clock, log }: LastUseDeps,
  { type, read, statusOf, onGone }: LastUse<T>,
): NoteUse<T> {
  const writes = createThrottle(clock, intervalMs);
  const { group, version, kind, plural, isNamespaced } = type;
  /** An apply names only the fields that its manager owns. */
  const appliedType: ResourceType<KubeObject & { status: object }> = {
    group,
    version,
    kind,
    plural,
    isNamespaced,
  };

  async function write({ metadata: { name, namespace, uid } }: Stored<T>): Promise<void> {
    const status = statusOf(toRfc3339(clock.nowMs()));
    // The uid prevents the apply from creating a deleted object again.
    const metadata = { name, uid, ...compact({ namespace }) };
    await kube.apply(
      appliedType,
      { apiVersion, kind, metadata, status },
      { fieldManager: fieldManagers.apiserver, subresource: 'status' },
    );
  }

  return (object) => {
    const { uid, name } = object.metadata;
    const knownMs = parseRfc3339(read(object)) ?? 0;
    if (Math.abs(clock.nowMs() - knownMs) < intervalMs || !writes.take(uid)) return;
    write(object).catch((error: unknown) => {
      const isGone = isAppError(error, 'NotFound') || isAppError(error, 'Conflict');
      if (isGone && onGone) return onGone(object);
      writes.giveBack(uid);
      log.debug('cannot record the use of a key', { object: `${kind} ${name}`, reason: messageOf(error) });
    });
  };
}
