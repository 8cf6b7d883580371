import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject, ResourceType } from '../../core/api/resources/kubeObject.ts';
import { secretsPath } from '../listener.ts';

interface Webhook extends KubeObject {
  webhooks: object[];
}

export const webhookType: ResourceType<Webhook> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  isNamespaced: false,
};

export interface WebhookPlace {
  name: string;
  /** The only namespace whose secrets are sealed. */
  namespace: string;
  /** The local port of the listener. */
  port: number;
  /** The folder with the certificate of the listener. */
  folder: string;
}

/** The webhook that seals secrets, as the chart registers it, for one namespace. */
export function sealWebhook({ name, namespace, port, folder }: WebhookPlace): Webhook {
  const rule = { apiGroups: ['slipway.dev'], apiVersions: ['*'], resources: ['secrets'] };
  const caBundle = readFileSync(join(folder, 'tls.crt')).toString('base64');
  const seal = {
    name: 'seal.secrets.slipway.dev',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Fail',
    rules: [{ ...rule, operations: ['CREATE', 'UPDATE'] }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    clientConfig: { caBundle, url: `https://127.0.0.1:${port}${secretsPath}` },
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [seal],
  };
}
