import { apiVersion, fieldManagers } from '../../../core/api/names.ts';
import type { ApiKeyResource, ApiKeyStatus } from '../../../core/api/resources/accountResources.ts';
import type { KubeObject, ResourceType, Stored } from '../../../core/api/resources/kubeObject.ts';
import { apiKeyType } from '../../../core/api/resources/resources.ts';
import { type Clock, parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { isAppError, messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { createThrottle } from '../../../core/lib/throttle.ts';
import type { Store } from '../../store/kubeErrors.ts';
import type { Lookup } from '../directory/lookup.ts';

/** An apply names only the fields that its manager owns. */
type PartialKey = KubeObject & { status: ApiKeyStatus };
const partialKeyType: ResourceType<PartialKey> = {
  group: apiKeyType.group,
  version: apiKeyType.version,
  kind: apiKeyType.kind,
  plural: apiKeyType.plural,
  isNamespaced: apiKeyType.isNamespaced,
};

const intervalMs = 60_000;

/** Records that a key was used. Never throws. */
export type NoteUse = (key: Stored<ApiKeyResource>) => void;

interface LastUseOptions {
  kube: Pick<Store, 'apply'>;
  apiKeys: Pick<Lookup<ApiKeyResource>, 'forget'>;
  clock: Clock;
  log: Log;
}

/**
 * Writes status.lastUsedAt in the background, at most once a minute per key across all replicas, as far as the cache
 * shows. This also detects deleted keys if a watch has stalled.
 */
export function createNoteUse({ kube, apiKeys, clock, log }: LastUseOptions): NoteUse {
  const writes = createThrottle(clock, intervalMs);

  async function write(key: Stored<ApiKeyResource>): Promise<void> {
    const { name, namespace, uid } = key.metadata;
    const status = { lastUsedAt: toRfc3339(clock.nowMs()) };
    // The uid prevents the apply from creating a deleted key again.
    const applied = { apiVersion, kind: 'ApiKey', metadata: { name, namespace, uid }, status };
    await kube.apply(partialKeyType, applied, {
      fieldManager: fieldManagers.apiserver,
      subresource: 'status',
    });
  }

  return (key) => {
    const { uid, name } = key.metadata;
    const knownMs = parseRfc3339(key.status?.lastUsedAt) ?? 0;
    if (Math.abs(clock.nowMs() - knownMs) < intervalMs || !writes.take(uid)) return;
    write(key).catch((error: unknown) => {
      if (isAppError(error, 'NotFound') || isAppError(error, 'Conflict')) return apiKeys.forget(key);
      writes.giveBack(uid);
      log.debug('cannot record the use of a key', { apiKey: name, reason: messageOf(error) });
    });
  };
}
