import { engineObjects } from '../../core/api/names.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { configMapType } from '../../core/kube/types.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { releaseNamespace } from '../up/names.ts';
import { type Published, parsePublished } from './entries.ts';

const ref = { namespace: releaseNamespace, name: engineObjects.available };

/** What is published of each engine. */
export async function readPublished(kube: Pick<Kube, 'get'>): Promise<Map<string, Published>> {
  const object = await kube.get(configMapType, ref);
  return parsePublished(object?.data ?? {});
}

/** Publishes these entries; undefined removes one. Nobody else's entries change. */
export async function publish(
  kube: Pick<Kube, 'create' | 'patch'>,
  entries: ReadonlyMap<string, Published | undefined>,
): Promise<void> {
  if (entries.size === 0) return;
  const patch = () => kube.patch(configMapType, ref, { data: textsOf(entries, null) });
  try {
    await patch();
  } catch (error) {
    if (!isAppError(error, 'NotFound')) throw error;
    const found = new Map([...entries].filter(([, entry]) => entry !== undefined));
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref, data: textsOf(found, '') };
    await kube.create(configMapType, object).catch(async (failure: unknown) => {
      // Somebody else created it at the same time.
      if (!isAppError(failure, 'Conflict')) throw failure;
      await patch();
    });
  }
}

function textsOf<Absent>(
  entries: ReadonlyMap<string, Published | undefined>,
  absent: Absent,
): Record<string, string | Absent> {
  return Object.fromEntries(
    [...entries].map(([name, entry]) => [name, entry ? JSON.stringify(entry) : absent]),
  );
}
