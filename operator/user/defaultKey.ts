import { randomBytes } from 'node:crypto';
import { addressOfPrivateKey } from '../../core/accounts/keys.ts';
import { apiVersion, labels } from '../../core/api/names.ts';
import type { UserResource } from '../../core/api/resources/accountResources.ts';
import { secretType } from '../../core/api/resources/resources.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { UserDeps } from './deps.ts';

interface DefaultKey {
  place: { namespace: string; name: string };
  workspaceId: string;
}

/** Creates the sealed default key of an account. An existing secret with that name is left unchanged. */
export async function makeDefaultKey(
  { kube, secrets, sealer }: Pick<UserDeps, 'kube' | 'secrets' | 'sealer'>,
  user: UserResource,
  { place, workspaceId }: DefaultKey,
): Promise<void> {
  if (secrets.get(place)) return;
  const key = newPrivateKey();
  const data = sealer.seal(key, { ...place, owner: user.metadata.name });
  key.fill(0);
  const secret: SecretResource = {
    apiVersion,
    kind: 'Secret',
    metadata: { ...place, labels: { [labels.owner]: user.metadata.name, [labels.workspace]: workspaceId } },
    spec: { type: 'private-key', data },
  };
  try {
    secrets.observe(await kube.create(secretType, secret));
  } catch (error) {
    if (!isAppError(error, 'Conflict')) throw error;
  }
}

/** 32 random bytes that are a valid secp256k1 private key; nearly all are. */
function newPrivateKey(): Buffer {
  for (;;) {
    const key = randomBytes(32);
    try {
      addressOfPrivateKey(key);
      return key;
    } catch {
      key.fill(0);
    }
  }
}
