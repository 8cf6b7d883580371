import { exampleTime as createdAt } from '../../../core/api/openapi/exampleValues.ts';

const webhook = {
  kind: 'Webhook',
  version: 'v1alpha',
  id: '6d1f0a3c-9a54-4a2e-8a0e-2b7c7d9e1f00',
  name: 'ci',
  ownerID: 'admin',
  metadata: {
    name: 'ci',
    rev: 1,
    createdAt,
    updatedAt: createdAt,
    ownerID: 'admin',
    workspace: 'default',
  },
  spec: {
    url: 'https://ci.example.com/hooks/slipway',
    types: ['network.*', 'token.deployed'],
    secretRef: { name: 'ci-5f0c2a' },
  },
  status: { state: 'Active', message: 'events are sent as they happen', pending: 0 },
};

const delivery = {
  kind: 'WebhookDelivery',
  version: 'v1alpha',
  id: '12.0',
  eventID: 'evt_2kq5d8',
  type: 'network.operational',
  trigger: 'event',
  createdAt,
  state: 'delivered',
  attempts: 1,
  log: [{ at: createdAt, durationMs: 84, status: 204 }],
};

const signingSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** By the ids of the operations. */
export const examples = {
  createWebhook: {
    request: { name: 'ci', spec: { url: webhook.spec.url, types: webhook.spec.types } },
    response: { ...webhook, secret: signingSecret },
  },
  getWebhook: { response: webhook },
  replaceWebhook: {
    request: { metadata: { rev: 1 }, spec: { url: webhook.spec.url, types: ['network.*'] } },
    response: { ...webhook, spec: { ...webhook.spec, types: ['network.*'] } },
  },
  rotateWebhookSecret: { request: { overlapSeconds: 3600 }, response: { ...webhook, secret: signingSecret } },
  listWebhookDeliveries: {
    response: { kind: 'WebhookDeliveryList', version: 'v1alpha', items: [delivery], metadata: {} },
  },
};
