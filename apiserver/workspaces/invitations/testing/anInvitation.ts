import { apiVersion } from '../../../../core/api/names.ts';
import type {
  InvitationResource,
  InvitationStatus,
} from '../../../../core/api/resources/accountResources.ts';
import { compact } from '../../../../core/lib/compact.ts';

interface Given {
  state?: InvitationStatus['state'];
  expiresAt?: string;
}

/** An invitation to the default workspace, as it is stored; pending for a long time unless it says otherwise. */
export function anInvitation(
  metadata: { name: string; creationTimestamp?: string },
  { state, expiresAt = '2099-01-01T00:00:00Z' }: Given = {},
): InvitationResource {
  return {
    apiVersion,
    kind: 'Invitation',
    metadata: { namespace: 'slipway-system', ...metadata },
    spec: {
      workspace: 'default',
      email: 'ada@example.com',
      role: 'viewer',
      invitedBy: 'admin',
      expiresAt,
      tokenHash: '0'.repeat(64),
    },
    ...compact({ status: state && { state } }),
  };
}
