import { randomBytes } from 'node:crypto';
import type { NetworkStatus } from '../../../../core/api/resources/networkStatus.ts';
import { networkType, secretType } from '../../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../../core/api/testing/builders.ts';
import type { Kube, KubeObject, Stored } from '../../../../core/kube/kube.ts';
import { namespaceType } from '../../../../core/kube/types.ts';
import { webhookBatchType, webhookType } from '../../api/types.ts';
import type { WebhookSpec } from '../../api/webhook.ts';
import { toDeliveries } from '../../core/batches.ts';
import { newSigningSecret } from '../../core/signature.ts';
import { newSecretObject } from '../../core/signingSecrets.ts';
import { aWebhook } from '../../testing/builders.ts';
import { testSealer } from './operator.ts';

/** A namespace of its own, with what tests of webhooks do in it. */
export async function openPlace(kube: Kube) {
  const namespace = `slipway-hook-${randomBytes(4).toString('hex')}`;
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const fresh = <T extends KubeObject>(object: T): T => {
    const { uid: _, creationTimestamp: __, ...metadata } = object.metadata;
    return { ...object, metadata };
  };
  const secretOf = () => newSigningSecret((_purpose, length) => randomBytes(length));

  async function addSecret(owner: Stored<ReturnType<typeof aWebhook>>, name: string): Promise<string> {
    const secret = secretOf();
    await kube.create(secretType, newSecretObject(testSealer, owner, { name, secret }));
    return secret;
  }

  /** A webhook for networks alone by default. */
  const bareWebhook = (name: string, spec: Partial<WebhookSpec> & Pick<WebhookSpec, 'url'>) =>
    kube.create(webhookType, fresh(aWebhook({ name, namespace, spec: { types: ['network.*'], ...spec } })));

  return {
    namespace,
    addSecret,
    bareWebhook,
    /**
     * A webhook with a secret of its own: its secret is created after it, and may be an event
     * or not.
     */
    async webhook(name: string, spec: Partial<WebhookSpec> & Pick<WebhookSpec, 'url'>) {
      const secretRef = { name: `${name}-secret` };
      const created = await bareWebhook(name, { secretRef, ...spec });
      return { ...created, secret: await addSecret(created, secretRef.name) };
    },
    async network(name: string, labels: Record<string, string> = {}): Promise<void> {
      const network = fresh(aNetwork({ name, namespace }));
      await kube.create(networkType, { ...network, metadata: { ...network.metadata, labels } });
    },
    setState: async (name: string, state: NonNullable<NetworkStatus['state']>, message?: string) =>
      void (await kube.patch(
        networkType,
        { namespace, name },
        { status: { state, message: message ?? state } },
        'status',
      )),
    removeNetwork: async (name: string) => void (await kube.delete(networkType, { namespace, name })),
    async deliveries(uid: string) {
      const { items } = await kube.list(webhookBatchType, { namespace });
      return items.filter(({ spec }) => spec.webhookID === uid).flatMap(toDeliveries);
    },
    batches: async () => (await kube.list(webhookBatchType, { namespace })).items,
  };
}
export type Place = Awaited<ReturnType<typeof openPlace>>;
