import { hashOf } from '../../../../core/lib/hash.ts';

/** The id of the account of whoever signs up with an identity provider: the same at every attempt. */
export function signedUpUserIdOf(issuer: string, subject: string): string {
  return `u${hashOf(['signed up user', issuer, subject]).slice(0, 24)}`;
}

/** The name of an account at an OpenID provider: no two users can have the same one. */
export function oidcIdentityName(issuer: string, subject: string): string {
  return `oidc-${hashOf(['oidc identity', issuer, subject]).slice(0, 40)}`;
}

/** The name of a wallet: no two users can have the same one. */
export function walletIdentityName(address: string): string {
  return `wallet-${address.slice(2).toLowerCase()}`;
}
