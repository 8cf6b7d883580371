import { kubectl, namespace } from '../../../e2e/lib/cluster.ts';
import { selectorOf } from '../../../e2e/lib/components.ts';
import { createHotKey, reach, remove } from '../../../e2e/lib/networks.ts';
import { type Receiver, startReceiver } from '../../../e2e/lib/receiver.ts';
import { configure, readRevision, rollBack } from '../../../e2e/lib/release.ts';
import { call, freshName, until } from '../../../e2e/lib/service.ts';
import { isSignedWith, parseSigningSecret } from '../core/signature.ts';

let receiver: Receiver;
let revision: string;
beforeAll(async () => {
  receiver = await startReceiver();
  revision = await readRevision();
  await configure(
    'deliveries.allowHttp=true',
    'deliveries.allowPrivateAddresses=true',
    `networkPolicy.deliveryEgress[0].ports[0].port=${receiver.port}`,
  );
});
afterAll(async () => {
  await receiver.remove();
  await rollBack(revision);
});
beforeEach(() => receiver.answerWith(204));

/** A webhook that is Active: replicas that still have the former settings answer for a moment, and judge it. */
async function create(spec: object = {}) {
  const name = freshName('hook');
  const { body } = await until(
    'the webhook to be accepted',
    () => call('POST', '/v1alpha/webhooks', { body: { name, spec: { url: receiver.url, ...spec } } }),
    ({ status }) => status === 201,
  );
  await until(
    'the webhook to be Active',
    () => call('GET', `/v1alpha/webhooks/${body.id}`),
    ({ body: webhook }) => webhook.status?.state === 'Active',
  );
  return body;
}
const removeHook = (id: string) => call('DELETE', `/v1alpha/webhooks/${id}`);

it('a test event arrives signed, and its delivery is logged', async () => {
  const webhook = await create();
  const test = await call('POST', `/v1alpha/webhooks/${webhook.id}/test`);
  const one = await until(
    'the test event',
    async () => (await receiver.arrived())[0],
    (found) => found !== undefined,
  );
  expect(one?.id).toBe(test.body.eventID);
  const key = parseSigningSecret(webhook.secret);
  expect(one && isSignedWith(key, one.signature, one)).toBe(true);
  const log = () => call('GET', `/v1alpha/webhooks/${webhook.id}/deliveries`);
  await until('a delivered entry in the log', log, ({ body }) => body.items[0]?.state === 'delivered');
  await removeHook(webhook.id);
});

it('the states of a network arrive in order, also after an operator that was killed while the receiver failed', async () => {
  const webhook = await create({ types: ['network.created', 'network.operational', 'network.deleted'] });
  const key = await createHotKey();
  await receiver.answerWith(500);
  const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: key.name } } };
  const network = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('net'), spec: { chain } },
  });
  await reach(network.body.id, 'Operational');
  await until(
    'the first attempt',
    async () => (await receiver.arrived()).length,
    (count) => count > 0,
  );
  await kubectl(['delete', 'pods', ...selectorOf('operator'), '--grace-period=0', '--force']);
  await remove(network.body.id);
  await receiver.answerWith(204);
  const typesOf = async () =>
    (await receiver.arrived())
      .map(({ body }) => JSON.parse(body))
      .filter(({ object }) => object.id === network.body.id)
      .map(({ type }) => type);
  await until(
    'all events of the network',
    async () => new Set(await typesOf()).size,
    (count) => count === 3,
  );
  expect([...new Set(await typesOf())]).toEqual([
    'network.created',
    'network.operational',
    'network.deleted',
  ]);
  await removeHook(webhook.id);
});

it('a metadata service is refused even where private addresses are allowed', async () => {
  const body = { name: freshName('hook'), spec: { url: 'http://169.254.169.254/' } };
  const refused = await call('POST', '/v1alpha/webhooks', { body });
  expect([refused.status, refused.body.details[0].path]).toEqual([400, 'spec.url']);
});

it('kubectl shows the state of a webhook, and 410 pauses it', async () => {
  const webhook = await create();
  await receiver.answerWith(410);
  await call('POST', `/v1alpha/webhooks/${webhook.id}/test`);
  const state = async () => (await kubectl(['get', 'bhook', webhook.name, '-n', namespace])).stdout;
  await until('the pause', state, (text) => /Paused\s+Gone/.test(text));
  await removeHook(webhook.id);
});
