import type { Kube } from '../../core/kube/kube.ts';
import { isChangedSince, retryOnConflict } from '../../core/kube/retryOnConflict.ts';
import { type CoreSecret, coreSecretType } from '../../core/kube/types.ts';
import type { Missing } from './generate.ts';

/** Each concurrent write by someone else costs one more attempt. */
const maxAttempts = 10;

export interface WantedSecret {
  namespace: string;
  name: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  missing: Missing;
}

/**
 * Creates the Secret, or adds what it lacks; what it has stays as it is. Several may do that at the same time: one of
 * them writes, and the others find what it wrote. Returns the names of the keys that it added.
 */
export async function ensureSecret(
  kube: Pick<Kube, 'get' | 'create' | 'patch'>,
  wanted: WantedSecret,
): Promise<string[]> {
  return retryOnConflict({ attempts: maxAttempts, isConflict: isChangedSince }, () => write(kube, wanted));
}

async function write(kube: Pick<Kube, 'get' | 'create' | 'patch'>, wanted: WantedSecret): Promise<string[]> {
  const { namespace, name, labels, annotations } = wanted;
  const found = await kube.get(coreSecretType, { namespace, name });
  const data = wanted.missing(found?.data ?? {});
  if (!found) {
    const metadata = { namespace, name, labels, annotations };
    await kube.create(coreSecretType, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data });
    return Object.keys(data);
  }
  if (Object.keys(data).length > 0 || !isMarked(found, wanted)) {
    const { resourceVersion, uid } = found.metadata;
    const metadata = { resourceVersion, uid, labels, annotations };
    await kube.patch(coreSecretType, { namespace, name }, { metadata, data });
  }
  return Object.keys(data);
}

function isMarked({ metadata }: CoreSecret, wanted: WantedSecret): boolean {
  const has = (found: Record<string, string> = {}, all: Record<string, string>) =>
    Object.entries(all).every(([name, value]) => found[name] === value);
  return has(metadata.labels, wanted.labels) && has(metadata.annotations, wanted.annotations);
}
