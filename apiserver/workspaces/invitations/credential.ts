import type { InvitationStatus, MembershipResource } from '../../../core/api/resources/accountResources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Standing } from '../directory/principals.ts';

export interface Joined extends Standing {
  userId: string;
  /** The membership of the personal workspace, if the account is new. */
  founder: Stored<MembershipResource> | undefined;
}

/** What a new account signs in with. */
export interface Credential<T> {
  /** Makes it, or finds what an earlier try of the same attempt has made. */
  prepare(joined: Joined): Promise<T>;
  /** Whether an earlier try of the same attempt has made it, and it was not removed since. */
  stillExists(): Promise<boolean>;
  /** Takes back what nobody has got: somebody else has settled or revoked the invitation (`lost`). */
  discard(prepared: T, lost: InvitationStatus): Promise<void>;
}

/** Somebody with an account signs in as before. */
export const noCredential: Credential<object> = {
  prepare: async () => ({}),
  stillExists: async () => true,
  discard: async () => undefined,
};
