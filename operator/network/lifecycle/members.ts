import type { DefaultWorkspace } from '../../../core/accounts/ids.ts';
import { namespaceOf } from '../../../core/accounts/ids.ts';
import type { MembershipResource, UserResource } from '../../../core/api/resources/accountResources.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';

/** Beyond this number, only the lowest addresses are funded: the genesis must fit in a ConfigMap. */
const maxMembers = 200;

interface MembersOptions {
  memberships: Pick<Reflector<MembershipResource>, 'list'>;
  users: Pick<Reflector<UserResource>, 'get'>;
  serviceNamespace: string;
  defaultWorkspace: DefaultWorkspace;
}

/** Sorted addresses of the default keys of a workspace's members, by the workspace's namespace. */
export type MemberAddressesOf = (namespace: string) => string[];

export function createMemberAddresses(options: MembersOptions): MemberAddressesOf {
  const { memberships, users, serviceNamespace, defaultWorkspace } = options;
  return (namespace) => {
    const members = memberships
      .list()
      .filter(({ spec }) => namespaceOf(spec.workspace, defaultWorkspace) === namespace)
      .map(({ spec }) => users.get({ namespace: serviceNamespace, name: spec.user })?.status?.address);
    const addresses = members.filter((address) => address !== undefined);
    return [...new Set(addresses)].sort().slice(0, maxMembers);
  };
}
