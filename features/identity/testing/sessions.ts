import { randomBytes } from 'node:crypto';
import type { AccountsApi } from '../../../apiserver/testing/accountsApi.ts';
import { pepper } from '../../../apiserver/testing/harness.ts';
import { formatToken, hashOfSecret } from '../../../core/accounts/credentials.ts';
import { newId } from '../../../core/accounts/ids.ts';
import { apiVersion } from '../../../core/api/names.ts';
import { ownerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import { userType } from '../../../core/api/resources/resources.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { type SessionResource, sessionType } from '../api/resources/session.ts';

/** What a browser sends from a page of the installation. */
export const ownPage = { 'Sec-Fetch-Site': 'same-origin' };

/** The headers of a browser in which a user is signed in without an API key. */
export async function browserOf(
  { kube }: Pick<AccountsApi, 'kube'>,
  userId: string,
  nowMs: number,
): Promise<{ Cookie: string; 'Sec-Fetch-Site': string }> {
  const namespace = 'slipway-system';
  const user = await kube.get(userType, { namespace, name: userId });
  if (!user) throw new Error(`there is no user ${userId}`);
  const id = newId('session', (_purpose, length) => randomBytes(length));
  const secret = randomBytes(32).toString('base64url');
  const session: SessionResource = {
    apiVersion,
    kind: 'Session',
    metadata: { name: id, namespace, ownerReferences: [ownerReferenceTo(user)] },
    spec: {
      user: userId,
      method: 'passkey',
      ...compact({ generation: user.spec.signIns?.generation }),
      expiresAt: toRfc3339(nowMs + 12 * 3_600_000),
      secretHash: hashOfSecret(pepper, 'session', secret).toString('hex'),
    },
  };
  await kube.create(sessionType, session);
  return { Cookie: `__Host-slipway-session=${formatToken(id, secret)}`, ...ownPage };
}
