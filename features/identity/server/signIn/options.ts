import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { compact } from '../../../../core/lib/compact.ts';
import type { IdentityDeps } from '../deps.ts';

/** Tells the ways to sign in, and nothing about anybody. */
export function getSignInOptions({
  cookies,
  relyingParty: { id, origin },
  providers,
  wallets,
}: IdentityDeps): Handler<'getSignInOptions'> {
  const passkeyOrigin = cookies && id !== undefined ? origin : undefined;
  const offered = providers.map(({ settings: { name }, title }) => ({ name, title }));
  const elsewhere = [
    ...(offered.length > 0 ? (['oidc'] as const) : []),
    ...(wallets.enabled ? (['wallet'] as const) : []),
  ];
  return async () => ({
    body: {
      kind: 'SignInOptions',
      version: 'v1alpha1',
      methods: cookies
        ? [...(passkeyOrigin ? (['passkey'] as const) : []), 'password', 'apiKey', 'link', ...elsewhere]
        : [],
      providers: cookies ? offered : [],
      ...compact({ passkeyOrigin }),
    },
  });
}
