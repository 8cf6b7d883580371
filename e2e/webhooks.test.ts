import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { jest } from '@jest/globals';
import { isAllowedAddress } from '../core/outbound/addresses.ts';
import { isSignedWith, parseSigningSecret } from '../core/webhooks/signature.ts';
import { kubectl, namespace } from './lib/cluster.ts';
import { createHotKey, reach, remove } from './lib/networks.ts';
import { configure, readRevision, rollBack } from './lib/release.ts';
import { call, freshName, until } from './lib/service.ts';

jest.setTimeout(300_000);

/** A receiver in this process, at an address of this machine that pods reach. */
const port = 18_099;
const address = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal)
  .map(({ address: own }) => own)
  .find((own) => isAllowedAddress(own, { allowPrivateAddresses: true }));
const url = `http://${address}:${port}/hook`;

interface Arrived {
  id: string;
  timestamp: number;
  signature: string;
  body: string;
}

let arrived: Arrived[] = [];
let status = 204;
let server: Server;
let revision: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const header = (name: string) => String(request.headers[name]);
      arrived.push({
        ...{ id: header('webhook-id'), timestamp: Number(header('webhook-timestamp')) },
        ...{ signature: header('webhook-signature'), body },
      });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '0.0.0.0', resolve));
  revision = await readRevision();
  await configure(
    'deliveries.allowHttp=true',
    'deliveries.allowPrivateAddresses=true',
    `networkPolicy.deliveryEgress[0].ports[0].port=${port}`,
  );
});
afterAll(async () => {
  server.close();
  await rollBack(revision);
});
beforeEach(() => {
  arrived = [];
  status = 204;
});

async function create(spec: object = {}) {
  const answer = await call('POST', '/v1alpha/webhooks', {
    body: { name: freshName('hook'), spec: { url, ...spec } },
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
const removeHook = (id: string) => call('DELETE', `/v1alpha/webhooks/${id}`);

it('a test event arrives signed, and its delivery is logged', async () => {
  const webhook = await create();
  expect(webhook.status.state).toBe('Active');
  const test = await call('POST', `/v1alpha/webhooks/${webhook.id}/test`);
  const one = await until(
    'the test event',
    async () => arrived[0],
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
  status = 500;
  const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: key.name } } };
  const network = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('net'), spec: { chain } },
  });
  await reach(network.body.id, 'Operational');
  await until(
    'the first attempt',
    async () => arrived.length,
    (count) => count > 0,
  );
  const pods = ['delete', 'pods', '-n', 'slipway-system', '-l', 'app.kubernetes.io/component=operator'];
  await kubectl([...pods, '--grace-period=0', '--force']);
  await remove(network.body.id);
  arrived = [];
  status = 204;
  const typesOf = () =>
    arrived
      .map(({ body }) => JSON.parse(body))
      .filter(({ object }) => object.id === network.body.id)
      .map(({ type }) => type);
  await until(
    'all events of the network',
    async () => new Set(typesOf()).size,
    (count) => count === 3,
  );
  expect([...new Set(typesOf())]).toEqual(['network.created', 'network.operational', 'network.deleted']);
  await removeHook(webhook.id);
});

it('a metadata service is refused even where private addresses are allowed', async () => {
  const body = { name: freshName('hook'), spec: { url: 'http://169.254.169.254/' } };
  const refused = await call('POST', '/v1alpha/webhooks', { body });
  expect([refused.status, refused.body.details[0].path]).toEqual([400, 'spec.url']);
});

it('kubectl shows the state of a webhook, and 410 pauses it', async () => {
  const webhook = await create();
  status = 410;
  await call('POST', `/v1alpha/webhooks/${webhook.id}/test`);
  const state = async () => (await kubectl(['get', 'bhook', webhook.name, '-n', namespace])).stdout;
  await until('the pause', state, (text) => /Paused\s+Gone/.test(text));
  await removeHook(webhook.id);
});
