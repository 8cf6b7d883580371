import { invitedUserIdOf, newId } from '../../../core/accounts/ids.ts';
import { apiKeyType } from '../../../core/api/resources/resources.ts';
import type { AcceptedInvitation, NewApiKey } from '../../../core/api/rest/access.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import { discardApiKey, insertApiKey } from '../apiKeys/apiKeyObject.ts';
import type { WorkspaceApiDeps, WorkspaceDeps } from '../deps.ts';
import { toMembership } from '../mapping.ts';
import type { FirstSession } from '../signIn.ts';
import { accept, newAttempt } from './accept.ts';
import { findByToken } from './claim.ts';
import { type Credential, noCredential } from './credential.ts';

type Call = Parameters<Handler<'acceptInvitation'>>[0];

/**
 * Accepts an invitation with its token. A new account gets its first key, which works in the joined workspace and, if a
 * request names it, in every other workspace of its user, limited to the user's role there; or a session, in a browser.
 */
export function acceptInvitation(deps: WorkspaceApiDeps): Handler<'acceptInvitation'> {
  return async (call) => {
    const { principal, body, random, idempotencyMark: mark } = call;
    const credential = credentialFor(deps, call);
    const { invitation, isMailed } = await findByToken(deps, body.token);
    const { name } = invitation.metadata;
    // Whoever was handed the token shares no account with whoever has read the mail.
    const userId = principal?.userId ?? invitedUserIdOf(name, isMailed ? ['mail'] : []);
    const [joined, { apiKey, cookie }] = await accept(deps, {
      invitation,
      attempt: newAttempt(userId, { mark, random }),
      hasAccount: principal !== undefined,
      emailProof: isMailed ? 'mail' : undefined,
      credential,
    });
    const user = await deps.directory.users.find(userId);
    const answer: AcceptedInvitation = { ...toMembership(joined, user), ...compact({ apiKey }) };
    return {
      body: answer,
      ...compact({ cookie }),
      objects: [`invitation ${name} to workspace ${invitation.spec.workspace} by ${userId}`],
    };
  };
}

/** What a new account signs in with first; nothing for a caller who has one. */
interface First extends Partial<FirstSession> {
  apiKey?: NewApiKey;
}

function credentialFor(deps: WorkspaceApiDeps, call: Call): Credential<First> {
  if (call.principal) return noCredential;
  if (call.body.signIn !== true) return firstKey(deps, call);
  if (deps.signIn) return deps.signIn.firstSession(call);
  throw new AppError('Forbidden', 'this installation signs nobody in with a browser: leave signIn out');
}

function firstKey(deps: WorkspaceDeps, { random, idempotencyMark: mark }: Call): Credential<First> {
  const { kube, namespace } = deps;
  return {
    async prepare({ founder, ...standing }) {
      return {
        apiKey: await insertApiKey(deps, standing, {
          name: 'first key',
          role: 'owner',
          random,
          mark,
          ...compact({ founder }),
        }),
      };
    },
    async stillExists() {
      const name = newId('apiKey', random);
      return (await forCaller(kube.get(apiKeyType, { namespace, name }))) !== undefined;
    },
    async discard({ apiKey }) {
      if (apiKey) await discardApiKey(deps, apiKey.id);
    },
  };
}
