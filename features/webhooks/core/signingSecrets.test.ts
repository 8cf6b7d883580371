import { labels } from '../../../core/api/names.ts';
import type { SecretResource } from '../../../core/api/resources/secret.ts';
import { aSecret } from '../../../core/api/testing/builders.ts';
import { aWebhook } from '../testing/builders.ts';
import { openSigningKeys } from './signingSecrets.ts';

const namespace = 'ws-one';
const text = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const sealer = { unseal: () => Buffer.from(text) };

const spec = { url: 'https://example.com/', secretRef: { name: 's' } };
const meta = { uid: 'uid-w', resourceVersion: '1', creationTimestamp: '2031-01-31T00:00:00Z' };
const ownedBy = (owner?: string) => (owner === undefined ? {} : { [labels.owner]: owner });
const webhookOf = (owner?: string) => {
  const webhook = aWebhook({ namespace, name: 'w', spec });
  return { ...webhook, metadata: { ...webhook.metadata, ...meta, labels: ownedBy(owner) } };
};
const secretOf = (owner: string | undefined, forWebhook?: string): SecretResource => {
  const secret = aSecret({
    namespace,
    name: 's',
    spec: { type: 'webhook-secret', data: Buffer.from(text).toString('base64') },
  });
  const reference = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Webhook', name: 'w', uid: forWebhook ?? '' };
  const ownerReferences = forWebhook === undefined ? [] : [reference];
  return { ...secret, metadata: { ...secret.metadata, labels: ownedBy(owner), ownerReferences } };
};
/** As after its manifest was applied again without its owner. */
const generatedFor = (id: string): SecretResource => {
  const secret = secretOf(undefined);
  return { ...secret, metadata: { ...secret.metadata, labels: { [labels.webhook]: id } } };
};
const sign = (webhook: ReturnType<typeof webhookOf>, secret: SecretResource) =>
  openSigningKeys(sealer, webhook, { find: () => secret, nowMs: 0 });

test.each([
  ['of its owner', webhookOf('ann'), secretOf('ann')],
  ['of nobody', webhookOf('ann'), secretOf(undefined)],
  ['of nobody, for a webhook of nobody', webhookOf(), secretOf(undefined)],
  ['that was generated for it, and has lost its owner', webhookOf('ann'), generatedFor('uid-w')],
  ['that was generated for it', webhookOf('ann'), secretOf(undefined, webhookOf('ann').metadata.uid)],
])('a webhook signs with a secret %s', (_whose, webhook, secret) => {
  expect(sign(webhook, secret)).toHaveLength(1);
});

test.each([
  ['another member', webhookOf('ann'), secretOf('ben')],
  ['a member, if it is of nobody itself', webhookOf(), secretOf('ben')],
  ['another webhook', webhookOf('ann'), secretOf(undefined, 'other')],
  ['another webhook, which has lost its owner', webhookOf('ann'), generatedFor('other')],
])('a webhook does not sign with a secret of %s', (_whose, webhook, secret) => {
  expect(() => sign(webhook, secret)).toThrow(/secret "s" belongs to another.*reference a secret/);
});
