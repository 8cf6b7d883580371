/** Valid account objects for tests: specify only what the test needs. */

import { apiVersion } from '../names.ts';
import type {
  ApiKeyResource,
  ApiKeySpec,
  InvitationResource,
  InvitationSpec,
  MembershipResource,
  MembershipSpec,
  UserResource,
  UserSpec,
  WorkspaceResource,
  WorkspaceSpec,
} from '../resources/accountResources.ts';
import type { KubeMeta } from '../resources/kubeObject.ts';

export const serviceNamespace = 'slipway-system';
const hash = 'ab'.repeat(32);

export interface Options<Spec> {
  name?: string;
  metadata?: Partial<KubeMeta>;
  spec?: Partial<Spec>;
}

/** The workspace `team`, owned by `ann`. */
export function aWorkspace({
  name = 'team',
  metadata,
  spec,
}: Options<WorkspaceSpec> = {}): WorkspaceResource {
  return {
    apiVersion,
    kind: 'Workspace',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: { name, owners: ['ann'], ...spec },
  };
}

/** The user `ann`. */
export function aUser({ name = 'ann', metadata, spec }: Options<UserSpec> = {}): UserResource {
  return {
    apiVersion,
    kind: 'User',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: { email: `${name}@example.com`, ...spec },
  };
}

/** `ann`, owner of `team`. */
export function aMembership({ metadata, spec }: Options<MembershipSpec> = {}): MembershipResource {
  const whole: MembershipSpec = { workspace: 'team', user: 'ann', role: 'owner', ...spec };
  const name = `${whole.workspace}.${whole.user}`;
  return {
    apiVersion,
    kind: 'Membership',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: whole,
  };
}

/** An invitation to `team`. */
export function anInvitation({
  name = 'inv1',
  metadata,
  spec,
}: Options<InvitationSpec> = {}): InvitationResource {
  return {
    apiVersion,
    kind: 'Invitation',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: {
      workspace: 'team',
      email: 'ben@example.com',
      role: 'developer',
      invitedBy: 'ann',
      expiresAt: '2036-01-01T00:00:00Z',
      tokenHash: hash,
      ...spec,
    },
  };
}

/** A key of `ann` in `team`. */
export function anApiKey({ name = 'key1', metadata, spec }: Options<ApiKeySpec> = {}): ApiKeyResource {
  return {
    apiVersion,
    kind: 'ApiKey',
    metadata: { name, namespace: serviceNamespace, ...metadata },
    spec: { workspace: 'team', user: 'ann', name: 'ci', role: 'owner', secretHash: hash, ...spec },
  };
}
