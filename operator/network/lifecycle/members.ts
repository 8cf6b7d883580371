import type { DefaultWorkspace } from '../../../core/accounts/ids.ts';
import { namespaceOf } from '../../../core/accounts/ids.ts';
import type { MembershipResource, UserResource } from '../../../core/api/resources/accountResources.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';

/** Of a workspace with more members, those with the lowest addresses: a chain's first state lies in a ConfigMap. */
const maxMembers = 200;

interface MembersOptions {
  memberships: Pick<Reflector<MembershipResource>, 'list'>;
  users: Pick<Reflector<UserResource>, 'get'>;
  serviceNamespace: string;
  defaultWorkspace: DefaultWorkspace;
}

/** Addresses of the default keys of a workspace's members, in order, by the workspace's namespace. */
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
