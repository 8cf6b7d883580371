import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeCertificate } from '../../apiserver/testing/certificate.ts';
import { type KubeObject, resourceType } from '../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createMetrics } from '../../core/lib/metrics.ts';
import { type AdmissionDeps, createAdmissionListener, secretsPath } from '../listener.ts';
import { admissionMetricTable } from '../metrics.ts';
import { createTlsServer } from '../tlsServer.ts';

interface Webhook extends KubeObject {
  webhooks: object[];
}

export const webhookType = resourceType<Webhook>(
  'admissionregistration.k8s.io/v1',
  'MutatingWebhookConfiguration',
  false,
);

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

/** The listener with a certificate in the folder, registered by `sealWebhook`. */
export async function startSealWebhook(
  kube: Kube,
  place: Omit<WebhookPlace, 'port'>,
  deps: Pick<AdmissionDeps, 'sealer' | 'serviceNamespace'>,
): Promise<Server> {
  const { folder } = place;
  writeCertificate(folder);
  const metrics = createMetrics([admissionMetricTable]);
  const listener = createAdmissionListener({ ...deps, log: silentLog, metrics });
  const server = await createTlsServer({ folder, listener, clock: systemClock, log: silentLog });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await kube.create(webhookType, sealWebhook({ ...place, port }));
  return server;
}
