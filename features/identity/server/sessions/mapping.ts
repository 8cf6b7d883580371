import type { Stored } from '../../../../core/kube/kube.ts';
import { compact } from '../../../../core/lib/compact.ts';
import type { SessionResource } from '../../api/resources/session.ts';
import type { Session } from '../../api/rest/session.ts';

/** A session as REST returns it, to a caller who may be in it. */
export function toSession(
  { metadata, spec, status }: Stored<SessionResource>,
  caller: { sessionId?: string },
): Session {
  return {
    kind: 'Session',
    version: 'v1alpha1',
    id: metadata.name,
    userID: spec.user,
    method: spec.method,
    isCurrent: metadata.name === caller.sessionId,
    expiresAt: spec.expiresAt,
    ...compact({
      apiKeyID: spec.apiKey,
      userAgent: spec.userAgent,
      source: spec.source,
      createdAt: metadata.creationTimestamp,
      lastUsedAt: status?.lastUsedAt,
    }),
  };
}

/** A session in audit lines. */
export const describeSession = ({ metadata, spec }: Stored<SessionResource>) =>
  `session ${metadata.name} of ${spec.user}`;
