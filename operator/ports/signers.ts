import { membershipName, namespaceOf } from '../../core/accounts/ids.ts';
import { installedIdOf, type Keyring, keyOf } from '../../core/accounts/keyring.ts';
import { addressOfLent, lendKey, type WithKey } from '../../core/accounts/lendKey.ts';
import { personalWorkspaceOf } from '../../core/accounts/objects.ts';
import { openSecret } from '../../core/accounts/openSecret.ts';
import type { Sealer } from '../../core/accounts/seal.ts';
import { serviceKeyOf } from '../../core/accounts/serviceKeys.ts';
import type { Installation } from '../../core/api/installation.ts';
import { defaultKeyName, labels } from '../../core/api/names.ts';
import type {
  MembershipResource,
  UserResource,
  WorkspaceResource,
} from '../../core/api/resources/accountResources.ts';
import type { KubeObject, Stored } from '../../core/api/resources/kubeObject.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import { AppError, messageOf } from '../../core/lib/errors.ts';

/** An account that transactions are signed with. */
export interface KeyHolder {
  /** EIP-55. */
  address: string;
  /** The user whose account it is. */
  user?: string;
  withKey: WithKey;
}

export interface Signers {
  /** The default key of the owner of an object in a workspace. Throws BadRequest with the remedy when there is none. */
  ownerOf(object: KubeObject): KeyHolder;
  /** The service's own account in a workspace: with the key that the workspace began with, while it is installed. */
  serviceOf(namespace: string): KeyHolder;
}

export interface SignersDeps {
  caches: {
    users: Pick<Reflector<UserResource>, 'get'>;
    workspaces: Pick<Reflector<WorkspaceResource>, 'list'>;
    memberships: Pick<Reflector<MembershipResource>, 'get'>;
    secrets: Pick<Reflector<SecretResource>, 'get'>;
  };
  sealer: Sealer;
  serviceAccountKeys: Keyring;
  installation: Pick<Installation, 'defaultWorkspace'>;
  serviceNamespace: string;
}

export function createSigners(deps: SignersDeps): Signers {
  const { caches, installation, serviceNamespace } = deps;
  const services = new Map<string, KeyHolder>();

  const workspaceOf = (namespace: string | undefined) =>
    caches.workspaces
      .list()
      .find(({ metadata: { name } }) => namespaceOf(name, installation.defaultWorkspace) === namespace);

  /** Anyone who can write an object with kubectl can name an owner: only a member of the workspace counts. */
  function userOf({ metadata }: KubeObject): Stored<UserResource> {
    const { namespace } = metadata;
    const workspace = workspaceOf(namespace);
    if (!workspace) throw unusable(`the namespace ${namespace} belongs to no workspace`);
    const owners = workspace.spec.owners;
    const id = metadata.labels?.[labels.owner] ?? owners[0] ?? '';
    const name = membershipName(workspace.metadata.name, id);
    const isMember = owners.includes(id) || caches.memberships.get({ namespace: serviceNamespace, name });
    const user = caches.users.get({ namespace: serviceNamespace, name: id });
    if (!isMember || !user) throw unusable(`its owner "${id}" is not a member of the workspace`);
    return user;
  }

  return {
    ownerOf(object) {
      const user = userOf(object);
      const namespace = namespaceOf(personalWorkspaceOf(user), installation.defaultWorkspace);
      const secret = caches.secrets.get({ namespace, name: defaultKeyName });
      if (secret?.metadata.labels?.[labels.owner] !== user.metadata.name) {
        throw unusable('its owner has none in the personal workspace');
      }
      return { user: user.metadata.name, ...holderOf(() => usable(() => openSecret(deps.sealer, secret))) };
    },
    serviceOf(namespace) {
      const keyId = installedIdOf(deps.serviceAccountKeys, workspaceOf(namespace)?.status?.serviceAccountKey);
      const key = keyOf(deps.serviceAccountKeys, keyId);
      // Deriving an address takes a millisecond.
      const id = `${keyId}/${namespace}`;
      const holder = services.get(id) ?? holderOf(() => serviceKeyOf(key, namespace));
      services.set(id, holder);
      return holder;
    },
  };
}

function holderOf(read: () => Buffer): KeyHolder {
  return { address: usable(() => addressOfLent(read)), withKey: lendKey(read) };
}

/** What `read` returns; what it throws becomes the reason why the key cannot be used. */
function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unusable(messageOf(error));
  }
}

function unusable(reason: string): AppError {
  return new AppError(
    'BadRequest',
    `the secret "${defaultKeyName}", whose key signs, cannot be used: ${reason}`,
  );
}
