import type { AcceptedInvitation, NewApiKey } from '../../../core/api/rest/access.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { insertApiKey } from '../apiKeys/apiKeyObject.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { toMembership } from '../mapping.ts';
import { openSession, requireCookies } from '../sessions/openSession.ts';
import { accept, type Joined } from './accept.ts';
import { findByToken } from './claim.ts';

type Call = Parameters<Handler<'acceptInvitation'>>[0];

/**
 * Accepts an invitation with its token. A new account gets its first key, which works in the joined workspace and, if a
 * request names it, in every other workspace of its user, limited to the user's role there; or a session, in a browser.
 */
export function acceptInvitation(deps: WorkspaceDeps): Handler<'acceptInvitation'> {
  return async (call) => {
    const { principal, body } = call;
    const isSignIn = body.signIn === true && !principal;
    if (isSignIn) requireCookies(deps);
    const { invitation, isMailed } = await findByToken(deps, body.token);
    const issue = credentialIssuers(deps, call);
    const emailProof = isMailed ? 'mail' : undefined;
    const [joined, { apiKey, cookie }] = await accept(deps, {
      ...{ invitation, emailProof, mark: call.idempotencyMark, userId: principal?.userId },
      issueCredential: isSignIn ? issue.session : issue.apiKey,
    });
    const { userId } = joined;
    const user = await deps.directory.users.find(userId);
    const answer: AcceptedInvitation = { ...toMembership(joined, user), ...compact({ apiKey }) };
    return {
      body: answer,
      ...compact({ cookie }),
      objects: [
        `invitation ${invitation.metadata.name} to workspace ${invitation.spec.workspace} by ${userId}`,
      ],
    };
  };
}

interface IssuedCredential {
  apiKey?: NewApiKey;
  cookie?: string | string[];
}

function credentialIssuers(deps: WorkspaceDeps, { random, idempotencyMark: mark, userAgent }: Call) {
  return {
    async apiKey({ founder, ...standing }: Joined): Promise<IssuedCredential> {
      if (!founder) return {};
      const first = { name: 'first key', role: 'owner', random, mark } as const;
      return { apiKey: await insertApiKey(deps, standing, { ...first, founder }) };
    },
    async session({ userId }: Joined): Promise<IssuedCredential> {
      const request = { random, idempotencyMark: mark, userAgent };
      const { cookie } = await openSession(deps, { userId, method: 'link' }, request);
      return compact({ cookie });
    },
  };
}
