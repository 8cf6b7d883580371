import { addressOfLent, lendKey } from '../../core/accounts/lendKey.ts';
import { openSecret } from '../../core/accounts/openSecret.ts';
import type { Sealer } from '../../core/accounts/seal.ts';
import { defaultKeyName, labels } from '../../core/api/names.ts';
import { secretType } from '../../core/api/resources/resources.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { AppError, messageOf } from '../../core/lib/errors.ts';
import type { Account } from '../../core/outbox/sending/submitAs.ts';
import { forCaller, type Store } from '../store/kubeErrors.ts';

/** The account of a user's default key; `isFresh` reads it again. Throws BadRequest with a remedy if it is unusable. */
export type FindAccount = (userId: string, isFresh?: boolean) => Promise<Account>;

export interface DefaultKeyDeps {
  kube: Pick<Store, 'get'>;
  secrets: Pick<Reflector<SecretResource>, 'get' | 'observe'>;
  /** Namespace of a user's personal workspace. */
  personalNamespaceOf(userId: string): Promise<string>;
  sealer: Sealer;
}

const maxRemembered = 10_000;

export function createFindAccount(deps: DefaultKeyDeps): FindAccount {
  /** Deriving an address takes a millisecond, so it is done once per version of a secret. */
  const addresses = createBoundedMap<string, string>(maxRemembered);

  function addressOf(secret: Stored<SecretResource>): string {
    const { uid, resourceVersion } = secret.metadata;
    const version = `${uid}/${resourceVersion}`;
    const known = addresses.get(version);
    if (known) return known;
    const bytes = openSecret(deps.sealer, secret);
    try {
      const address = addressOfLent(() => bytes);
      addresses.set(version, address);
      return address;
    } catch (error) {
      throw unusable(messageOf(error));
    }
  }

  return async (userId, isFresh = false) => {
    const ref = { namespace: await deps.personalNamespaceOf(userId), name: defaultKeyName };
    const cached = isFresh ? undefined : deps.secrets.get(ref);
    const secret = cached ?? (await forCaller(deps.kube.get(secretType, ref)));
    if (!secret || secret.metadata.labels?.[labels.owner] !== userId) {
      throw unusable('your personal workspace has no such secret of yours');
    }
    return { address: addressOf(secret), withKey: lendKey(() => openSecret(deps.sealer, secret)) };
  };
}

function unusable(reason: string): AppError {
  const message = `cannot sign with the secret "${defaultKeyName}": ${reason}; create one of type private-key with 32 raw bytes`;
  return new AppError('BadRequest', message);
}
