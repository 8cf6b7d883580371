import { openSecret } from '../../core/accounts/openSecret.ts';
import type { Sealer } from '../../core/accounts/seal.ts';
import type { KubeMeta, Stored } from '../../core/api/resources/kubeObject.ts';
import { secretType } from '../../core/api/resources/resources.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError, messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';

const pageSize = 100;
/** Each write by someone else meanwhile costs one more. */
const maxAttempts = 10;

export interface ResealDeps {
  kube: Pick<Kube, 'get' | 'list' | 'patch'>;
  /** Over all master keys; the first is the one that everything shall be under. */
  sealer: Sealer;
  log: Log;
}

export interface ResealResult {
  /** Under the first master key already. */
  current: number;
  resealed: number;
  failed: number;
}

/**
 * Brings every secret under the first master key, one by one, each by one write that replaces a readable text by a
 * readable text. Ended in the middle, it goes on where it was when it is run again. A secret that cannot be opened is
 * logged and left as it is.
 */
export async function resealAll(deps: ResealDeps): Promise<ResealResult> {
  const result: ResealResult = { current: 0, resealed: 0, failed: 0 };
  let continueToken: string | undefined;
  do {
    const page = await deps.kube.list(secretType, {
      limit: pageSize,
      ...compact({ continueToken }),
    });
    for (const secret of page.items) result[await resealLogged(deps, secret)] += 1;
    deps.log.info('secrets under the first master key', { ...result });
    continueToken = page.continueToken;
  } while (continueToken);
  return result;
}

async function resealLogged(deps: ResealDeps, secret: Stored<SecretResource>): Promise<keyof ResealResult> {
  const { namespace, name } = secret.metadata;
  try {
    return await reseal(deps, secret);
  } catch (error) {
    deps.log.error('a secret stays as it is', { namespace, name, reason: messageOf(error) });
    return 'failed';
  }
}

async function reseal(
  { kube, sealer }: ResealDeps,
  listed: Stored<SecretResource>,
): Promise<keyof ResealResult> {
  let secret: Stored<SecretResource> | undefined = listed;
  for (let attempt = 1; secret !== undefined; attempt += 1) {
    if (sealer.isCurrent(secret.spec.data)) return attempt === 1 ? 'current' : 'resealed';
    const { name, namespace, resourceVersion, uid }: KubeMeta = secret.metadata;
    const data = sealAgain(sealer, secret);
    try {
      // Only what was read is replaced: who writes another value meanwhile keeps it.
      await kube.patch(
        secretType,
        { namespace, name },
        { metadata: { resourceVersion, uid }, spec: { data } },
      );
      return 'resealed';
    } catch (error) {
      const isChanged = isAppError(error, 'Conflict') || isAppError(error, 'NotFound');
      if (!isChanged || attempt === maxAttempts) throw error;
      secret = await kube.get(secretType, { namespace, name });
    }
  }
  // Deleted meanwhile.
  return 'current';
}

function sealAgain(sealer: Sealer, secret: SecretResource): string {
  const { name, namespace } = secret.metadata;
  const bytes = openSecret(sealer, secret);
  const sealed = sealer.seal(bytes, { namespace, name });
  bytes.fill(0);
  return sealed;
}
