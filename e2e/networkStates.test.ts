import { hotKey } from './contract/endpoints.ts';
import { addRow, printReport } from './contract/report.ts';
import { closeWorld, isIn, networkNow, openWorld, type Sent, send, type World } from './contract/world.ts';
import { getJson, kubectl } from './lib/cluster.ts';
import { type Answer, until } from './lib/service.ts';

/** Checks the states of a network in the specification's table from a client's point of view. */

let world: World;
let created: Answer;
const now = () => networkNow(world);

beforeAll(async () => {
  world = await openWorld();
  const create = (path: string, body: object) => send({ method: 'POST', path, body, by: world.key });
  const key = hotKey.toString('base64');
  await create('/v1alpha/secrets', { name: 'hot', type: 'private-key', data: key });
  const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot' } } } };
  created = await create('/v1alpha/networks', { name: 'walked', spec });
  world.ids.network = created.body.id;
});
afterAll(async () => {
  printReport();
  await closeWorld(world);
});

it('(none) → Pending, by POST', () => {
  addRow('state', 'Pending', 'response to POST', created.body.status.state);
  expect(created.body.status.state).toBe('Pending');
});

it('Pending → Operational, with every status field that is set by then', async () => {
  const { body } = await until('Operational', now, isIn('Operational'));
  for (const field of [
    'enclaveID',
    'state',
    'message',
    'execution',
    'chainSpecHash',
    'lastActivityAt',
    'lastWakeUpAt',
  ]) {
    addRow('field', `status.${field}`, JSON.stringify(body.status[field]).slice(0, 60));
    expect(body.status[field]).toBeDefined();
  }
  expect(body.status.observedMaintenanceNonce).toBe(0);
});

it('maintenance: the nonce is observed once the action is applied', async () => {
  const { body } = await now();
  const spec = { ...body.spec, maintenanceRequest: { action: 'ResetState', nonce: 5 } };
  await send({
    method: 'PUT',
    path: '/v1alpha/networks/{id}',
    params: { id: created.body.id },
    body: { spec },
    by: world.key,
  });
  const isDone = (answer: Answer) => answer.body.status?.observedMaintenanceNonce === 5;
  const after = await until('the observed nonce', now, isDone);
  addRow(
    'maintenance',
    'ResetState',
    `observedMaintenanceNonce ${after.body.status.observedMaintenanceNonce}`,
  );
});

it('→ Stopping → Stopped after the idle time; a read over REST wakes it', async () => {
  const ref = ['--namespace', world.namespace, 'bnet', 'walked'];
  const patch = JSON.stringify({ status: { lastWakeUpAt: '2020-01-01T00:00:00Z' } });
  await until('Operational', now, isIn('Operational'));
  const patched = await kubectl(['patch', ...ref, '--subresource=status', '--type=merge', '--patch', patch]);
  expect(patched.stderr).toBe('');
  const stopped = await until(
    'Stopped',
    () => getJson(...ref),
    ({ status }) => status.state === 'Stopped',
  );
  expect(stopped.status.lastStoppedAt).toMatch(/Z$/);
  const { items } = await getJson('--namespace', world.namespace, 'events');
  const reasons = items.map(({ message }: { message: string }) => message.split(':')[0]);
  expect(reasons).toEqual(expect.arrayContaining(['Stopping', 'Stopped']));
  await now();
  const woken = await until('Operational', now, isIn('Operational'));
  addRow('state', 'Stopped', stopped.status.lastStoppedAt, `woken ${woken.body.status.lastWakeUpAt}`);
  expect(Date.parse(woken.body.status.lastWakeUpAt)).toBeGreaterThanOrEqual(
    Date.parse(stopped.status.lastStoppedAt),
  );
});

it('→ Error with the reason while its secret is missing', async () => {
  const chain = { type: 'Base', base: { privateKeyRef: { name: 'nowhere' } } };
  const body = { name: 'lacking', spec: { chain } };
  const made = await send({ method: 'POST', path: '/v1alpha/networks', body, by: world.key });
  const params = { id: made.body.id };
  const ask = () => send({ method: 'GET', path: '/v1alpha/networks/{id}', params, by: world.key });
  const { status } = (await until('Error', ask, isIn('Error'))).body;
  addRow('state', 'Error', status.message);
  expect(status.message).toContain('nowhere');
});

it('DELETE gets 409 while the network is already being deleted', async () => {
  const ref = ['--namespace', world.namespace, 'patch', 'bnet', 'lacking', '--type=merge', '--patch'];
  const finalizers = (value: unknown) => JSON.stringify({ metadata: { finalizers: value } });
  await kubectl([...ref, finalizers(['example.com/held'])]);
  const { metadata } = await getJson('--namespace', world.namespace, 'bnet', 'lacking');
  const sent: Sent = {
    method: 'DELETE',
    path: '/v1alpha/networks/{id}',
    params: { id: metadata.labels['slipway.dev/id'] },
    by: world.key,
  };
  const statuses = [(await send(sent)).status, (await send(sent)).status];
  await kubectl([...ref, finalizers(null)]);
  addRow('DELETE', sent.path, 409, 'it is being deleted', statuses.join(' then '));
  expect(statuses).toEqual([200, 409]);
});
