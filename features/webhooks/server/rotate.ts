import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { createOnce } from '../../../apiserver/store/createOnce.ts';
import { forCaller } from '../../../apiserver/store/kubeErrors.ts';
import { secretType } from '../../../core/api/resources/resources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { ownedBy } from '../../../core/kube/ownedBy.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import type { WebhookResource } from '../api/webhook.ts';
import { newSigningSecret } from '../core/signature.ts';
import { newSecretObject, secretNameOf } from '../core/signingSecrets.ts';
import { changeWebhook } from './change.ts';
import { nameForSecret } from './create.ts';
import type { WebhookDeps } from './deps.ts';
import { answerWebhook } from './mapping.ts';

const defaultOverlapSeconds = 86_400;

/** Creates a new secret, then names it in the spec with the present one as the former. Repeating it changes nothing. */
export function rotateWebhookSecret(deps: WebhookDeps): Handler<'rotateWebhookSecret'> {
  return async ({ principal, params, body, random, idempotencyMark: mark }) => {
    const webhook = await deps.find(principal.namespace, params.id);
    const name = nameForSecret(webhook.metadata.name, random);
    const secret = newSigningSecret(random);
    const object = newSecretObject(deps.sealer, webhook, { name, secret });
    await createOnce(deps.kube, { type: secretType, object, mark });
    const { overlapSeconds = defaultOverlapSeconds } = body;
    const expiresMs = (await deps.kube.serverTimeMs()) + overlapSeconds * 1000;
    let outdated: string | undefined;
    const rotated = await changeWebhook(deps, { webhook, mark }, (current) => {
      outdated = undefined;
      if (current.spec.secretRef?.name === name) return current;
      outdated = current.spec.previousSecretRef?.name;
      return {
        ...current,
        spec: {
          ...current.spec,
          secretRef: { name },
          previousSecretRef: { name: secretNameOf(current) },
          previousSecretExpiresAt: toRfc3339(expiresMs),
        },
      };
    });
    if (outdated !== undefined) await removeGenerated(deps, rotated, outdated);
    const answer = answerWebhook(rotated, principal);
    return { ...answer, body: { ...answer.body, secret } };
  };
}

/** Deletes a secret that signs no more, unless it is the user's own. */
async function removeGenerated(
  { kube, secrets }: WebhookDeps,
  webhook: Stored<WebhookResource>,
  name: string,
): Promise<void> {
  const secret = secrets.cache.byName(webhook.metadata.namespace, name);
  if (!secret || !ownedBy(webhook)(secret)) return;
  await forCaller(kube.delete(secretType, secret.metadata, { uid: secret.metadata.uid }));
}
