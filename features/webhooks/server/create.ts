import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { createNamed, createOnce } from '../../../apiserver/store/createOnce.ts';
import { forCaller } from '../../../apiserver/store/kubeErrors.ts';
import type { RandomBytes } from '../../../core/accounts/ids.ts';
import { nameOf } from '../../../core/api/common.ts';
import { idOf } from '../../../core/api/ids.ts';
import { secretType } from '../../../core/api/resources/resources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { budgetUsedUp } from '../../../core/lib/errors.ts';
import { webhookType } from '../api/types.ts';
import type { WebhookResource } from '../api/webhook.ts';
import { newSigningSecret } from '../core/signature.ts';
import { newSecretObject } from '../core/signingSecrets.ts';
import { checkSpec } from './check.ts';
import type { WebhookDeps } from './deps.ts';
import { answerWebhook, toNewResource } from './mapping.ts';

/** How long an answer waits for the operator. */
const activeLimitMs = 10_000;

/** Creates the webhook and then its signing secret, which belongs to it; answers when the operator has begun. */
export function createWebhook(deps: WebhookDeps): Handler<'createWebhook'> {
  return async ({ principal, body, random, idempotencyMark: mark }) => {
    const name = nameOf(body) ?? '';
    checkSpec(deps, { principal, spec: body.spec });
    checkBudget(deps, principal.namespace, name);
    const isOwnSecret = body.spec.secretRef !== undefined;
    const secretName = nameForSecret(name, random);
    const spec = isOwnSecret ? body.spec : { ...body.spec, secretRef: { name: secretName } };
    const given = { name, spec, labels: body.metadata?.labels };
    const object = toNewResource(given, principal);
    const created = await createNamed(deps.kube, { type: webhookType, object, mark });
    await keepWithinBudget(deps, created);
    const secret = isOwnSecret ? undefined : newSigningSecret(random);
    if (secret !== undefined) await addSecret(deps, created, { name: secretName, secret, mark });
    const isSeen = ({ metadata, status }: Stored<WebhookResource>) =>
      metadata.uid === created.metadata.uid && status?.state !== undefined;
    const seen = await deps.waitFor(isSeen, { timeoutMs: activeLimitMs });
    const answer = answerWebhook(seen ?? created, principal);
    const location = `/v1alpha/webhooks/${idOf(created)}`;
    return { ...answer, body: secret === undefined ? answer.body : { ...answer.body, secret }, location };
  };
}

/** The name of a generated Secret: it begins with that of its webhook. */
export function nameForSecret(webhookName: string, random: RandomBytes): string {
  return `${webhookName.slice(0, 48)}-${random('webhook secret name', 5).toString('hex')}`;
}

interface NewSecret {
  name: string;
  secret: string;
  mark: string | undefined;
}

async function addSecret(
  { kube, sealer }: WebhookDeps,
  webhook: Stored<WebhookResource>,
  { name, secret, mark }: NewSecret,
): Promise<void> {
  const object = newSecretObject(sealer, webhook, { name, secret });
  try {
    await createOnce(kube, { type: secretType, object, mark });
  } catch (error) {
    // Without its secret, nothing could be sent, and nobody would know it.
    await forCaller(kube.delete(webhookType, webhook.metadata, { uid: webhook.metadata.uid }));
    throw error;
  }
}

function checkBudget({ cache, maxWebhooks }: WebhookDeps, namespace: string, name: string): void {
  // One of the same name is an earlier attempt of this request, or a conflict anyway.
  const count = cache.inNamespace(namespace).filter(({ metadata }) => metadata.name !== name).length;
  if (count < maxWebhooks) return;
  const budget = `its budget is ${maxWebhooks} (chart value quota.webhooks)`;
  throw budgetUsedUp(`the workspace has ${count} webhooks, and ${budget}: delete one`);
}

/** Of several that were created at the same moment, those over the budget go again. */
async function keepWithinBudget(deps: WebhookDeps, { metadata }: Stored<WebhookResource>): Promise<void> {
  try {
    await deps.catchUp([webhookType.kind]);
    checkBudget(deps, metadata.namespace, metadata.name);
  } catch (error) {
    await forCaller(deps.kube.delete(webhookType, metadata, { uid: metadata.uid }));
    throw error;
  }
}
