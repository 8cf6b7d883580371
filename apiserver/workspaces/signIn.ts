import type { Authenticator } from '../http/auth/authenticator.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { Call } from '../http/pipeline/handler.ts';
import type { Credential } from './invitations/credential.ts';

/** What a handler knows of the request that opens a session. */
export type SignInRequest = Pick<Call<'acceptInvitation'>, 'random' | 'idempotencyMark' | 'userAgent'>;

/** A session that opened, as its browser learns of it. */
export interface FirstSession {
  /** Values of Set-Cookie. */
  cookie: string | string[];
}

/** How people sign in without an API key. */
export interface SignIn {
  /** By what the requests of a session are known. */
  authenticator: Authenticator;
  /**
   * Rejects with Unauthorized if the session of a request has ended by a change that this replica does not know yet: it must not give
   * anything that lasts.
   */
  refuseEnded(principal: Principal): Promise<void>;
  /** Whether a user can sign in with a browser without an API key and without anybody's help. */
  hasOwnWay(userId: string): Promise<boolean>;
  /** Opens a session for whoever accepts an invitation in a browser. Throws Forbidden where nobody signs in. */
  firstSession(request: SignInRequest): Credential<FirstSession>;
}
