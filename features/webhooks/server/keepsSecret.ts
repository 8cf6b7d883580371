import type { KeepsSecret } from '../../../apiserver/secrets/deps.ts';
import type { Store } from '../../../apiserver/store/kubeErrors.ts';
import { livePages } from '../../../apiserver/store/livePages.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { webhookType } from '../api/types.ts';
import type { WebhookResource } from '../api/webhook.ts';

const pageSize = 500;

/** A webhook that is signed with a secret keeps it. */
export function createKeepsSecret(kube: Pick<Store, 'list'>): KeepsSecret {
  return async ({ namespace, name }) => {
    for await (const { items } of livePages(kube, webhookType, { namespace, limit: pageSize })) {
      refuseSigning(name, items);
    }
  };
}

function refuseSigning(secretName: string, webhooks: readonly WebhookResource[]): void {
  const user = webhooks.find(({ spec: { secretRef, previousSecretRef } }) =>
    [secretRef?.name, previousSecretRef?.name].includes(secretName),
  );
  if (!user) return;
  const { name } = user.metadata;
  const remedy = 'name another one in its spec, or delete it, first';
  throw new AppError('Conflict', `the secret is in use by webhook "${name}": ${remedy}`);
}
