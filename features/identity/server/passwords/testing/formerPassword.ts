import { argon2Sync, randomBytes } from 'node:crypto';
import { pepper } from '../../../../../apiserver/testing/harness.ts';
import { hashOfSecret } from '../../../../../core/accounts/credentials.ts';
import { apiVersion, labels } from '../../../../../core/api/names.ts';
import { ownerReferenceTo } from '../../../../../core/api/resources/kubeObject.ts';
import { userType } from '../../../../../core/api/resources/resources.ts';
import type { Kube } from '../../../../../core/kube/kube.ts';
import type { PasswordResource } from '../../../api/resources/password.ts';

interface Given {
  userId: string;
  email: string;
  password: string;
}

/** A password as version 0.3.0 stored it: named by its address, with a salt of its own, and the user as associated data. */
export async function formerPassword(
  kube: Pick<Kube, 'get'>,
  { userId, email, password }: Given,
): Promise<PasswordResource> {
  const namespace = 'slipway-system';
  const user = await kube.get(userType, { namespace, name: userId });
  if (!user) throw new Error(`there is no user ${userId}`);
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', {
    memory: 32_768,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
    message: password,
    nonce,
    secret: hashOfSecret(pepper, 'password', 'argon2id'),
    associatedData: Buffer.from(userId),
  });
  const name = hashOfSecret(pepper, 'password', `address/${email.toLowerCase()}`).toString('hex');
  const texts = [nonce, tag].map((bytes) => bytes.toString('base64url'));
  return {
    apiVersion,
    kind: 'Password',
    metadata: {
      name: `x${name.slice(0, 24)}`,
      namespace,
      labels: { [labels.user]: userId },
      ownerReferences: [ownerReferenceTo(user)],
    },
    spec: {
      user: userId,
      email,
      hash: `$argon2id$v=19$m=32768,t=2,p=1$${texts.join('$')}`,
      changedAt: '2029-12-31T00:00:00Z',
    },
  };
}
