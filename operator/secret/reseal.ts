import { locationOf, openSecret } from '../../core/accounts/openSecret.ts';
import type { Sealer } from '../../core/accounts/seal.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import { secretType } from '../../core/api/resources/resources.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { listPages } from '../../core/kube/pages.ts';
import { isChangedSince, retryOnConflict } from '../../core/kube/retryOnConflict.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';

const pageSize = 100;
/** Each concurrent write by someone else costs one more attempt. */
const maxAttempts = 10;

export interface ResealDeps {
  kube: Pick<Kube, 'get' | 'list' | 'patch'>;
  /** With all master keys; the first one is the desired key for every secret. */
  sealer: Sealer;
  log: Log;
}

export interface ResealResult {
  /** Already sealed with the first master key. */
  current: number;
  resealed: number;
  failed: number;
}

/**
 * Reseals every secret with the first master key, bound to its owner, one by one. A secret can be read at any moment,
 * so after an interruption the next run continues where this one stopped. One that cannot be opened is logged and left
 * as it is.
 */
export async function resealAll(deps: ResealDeps): Promise<ResealResult> {
  const result: ResealResult = { current: 0, resealed: 0, failed: 0 };
  for await (const { items } of listPages(deps.kube, secretType, { limit: pageSize })) {
    for (const secret of items) result[await resealLogged(deps, secret)] += 1;
    deps.log.info('resealed secrets with the first master key', { ...result });
  }
  return result;
}

async function resealLogged(deps: ResealDeps, secret: Stored<SecretResource>): Promise<keyof ResealResult> {
  const { namespace, name } = secret.metadata;
  try {
    return await reseal(deps, secret);
  } catch (error) {
    deps.log.error('secret left as it is', { namespace, name, reason: messageOf(error) });
    return 'failed';
  }
}

async function reseal(
  { kube, sealer }: ResealDeps,
  listed: Stored<SecretResource>,
): Promise<keyof ResealResult> {
  return retryOnConflict({ attempts: maxAttempts, isConflict: isChangedSince }, async (attempt) => {
    const secret = attempt === 1 ? listed : await kube.get(secretType, listed.metadata);
    // Deleted in the meantime.
    if (!secret) return 'current';
    if (sealer.isCurrent(secret.spec.data)) return attempt === 1 ? 'current' : 'resealed';
    const { name, namespace, resourceVersion, uid } = secret.metadata;
    const data = sealAgain(sealer, secret);
    // Only what was read is replaced: a value that someone writes meanwhile is kept.
    const patch = { metadata: { resourceVersion, uid }, spec: { data } };
    await kube.patch(secretType, { namespace, name }, patch);
    return 'resealed';
  });
}

function sealAgain(sealer: Sealer, secret: SecretResource): string {
  const bytes = openSecret(sealer, secret);
  const sealed = sealer.seal(bytes, locationOf(secret.metadata));
  bytes.fill(0);
  return sealed;
}
