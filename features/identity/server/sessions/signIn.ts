import type { IncomingHttpHeaders } from 'node:http';
import type { Authenticator, BrowserRequest } from '../../../../apiserver/http/auth/authenticator.ts';
import { forCaller } from '../../../../apiserver/store/kubeErrors.ts';
import { createNoteUse, lastUsedAt } from '../../../../apiserver/workspaces/apiKeys/lastUse.ts';
import type { Credential } from '../../../../apiserver/workspaces/invitations/credential.ts';
import type { FirstSession, SignIn, SignInRequest } from '../../../../apiserver/workspaces/signIn.ts';
import { newId } from '../../../../core/accounts/ids.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import type { Log } from '../../../../core/lib/log.ts';
import { sessionType } from '../../api/resources/session.ts';
import type { IdentityDeps } from '../deps.ts';
import { hasOwnWay } from '../signIn/ways.ts';
import { hasSessionCookie } from './cookies.ts';
import { liveGeneration } from './generation.ts';
import { endSession, type NewSession, prepareSession, requireCookies } from './openSession.ts';
import { createSessionSource } from './sessionSource.ts';

/** What the API server knows of sessions. */
export function createSignIn(deps: IdentityDeps & { log: Log }): SignIn {
  return {
    authenticator: createAuthenticator(deps),
    refuseEnded: async (principal) => void (await liveGeneration(deps, principal)),
    hasOwnWay: (userId) => hasOwnWay(deps, userId),
    firstSession(request) {
      requireCookies(deps);
      return firstSession(deps, request);
    },
  };
}

/** The cookie of a session, from pages of this installation alone. */
function createAuthenticator(deps: IdentityDeps & { log: Log }): Authenticator {
  const { cookies, sessions } = deps;
  const noteUse = createNoteUse(deps, { ...lastUsedAt, type: sessionType, onGone: sessions.forget });
  return {
    kind: 'session',
    keys: createSessionSource({ ...deps, noteUse }),
    refusal: 'the session has ended: sign in again',
    hasCredentials: hasSessionCookie,
    tokenIn(request) {
      const token = cookies?.read(request.headers);
      if (token !== undefined && !cookies?.isFromOwnPage(request)) throw otherPage();
      return token;
    },
    refuseOtherPages(request: BrowserRequest) {
      if (cookies && isFromBrowser(request.headers) && !cookies.isFromOwnPage(request)) throw otherPage();
    },
  };
}

const isFromBrowser = ({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders) =>
  origin !== undefined || site !== undefined;

function otherPage(): AppError {
  return new AppError(
    'Forbidden',
    "another site's page sent this request with your session: use the console of this installation, or send an API key",
  );
}

function firstSession(deps: IdentityDeps, request: SignInRequest): Credential<FirstSession & NewSession> {
  const { kube, namespace } = deps;
  return {
    prepare: ({ userId }) =>
      prepareSession(deps, { userId, method: 'link', stillCounts: () => true }, request),
    async stillExists() {
      const name = newId('session', request.random);
      return (await forCaller(kube.get(sessionType, { namespace, name }))) !== undefined;
    },
    async discard({ stored }) {
      await endSession(deps, stored);
    },
  };
}
