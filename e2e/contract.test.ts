import { jest } from '@jest/globals';
import { JsonRpcProvider, parseEther, Wallet } from 'ethers';
import {
  type EndpointRow,
  endRows,
  hotKey,
  networkRows,
  recordingRows,
  secretRows,
  tokenRows,
} from './contract/endpoints.ts';
import { fieldRows, findField, valueRows, valuesOf } from './contract/fields.ts';
import { closeWorld, openWorld, type Sent, send, type World } from './contract/world.ts';
import { getJson, kubectl } from './lib/cluster.ts';
import { type Answer, call, until } from './lib/service.ts';

/** Every row of the specification's tables, asked of the installed service; what was seen is printed, a line a row. */

jest.setTimeout(180_000);

const lines: string[] = [];
const print = (...cells: unknown[]) => void lines.push(cells.map(String).join(' | '));
let world: World;
let document: Answer['body'];

beforeAll(async () => {
  world = await openWorld();
  document = (await call('GET', '/openapi.json', { isAnonymous: true })).body;
});
afterAll(async () => {
  console.log(lines.join('\n'));
  await closeWorld(world);
});

const named = (rows: EndpointRow[]) =>
  rows.map((row): [string, EndpointRow] => [`${row.method} ${row.path} ${row.status}: ${row.why}`, row]);

async function check(row: EndpointRow): Promise<void> {
  const { method, path, status, why, request, keep } = row;
  const answer = await send({ method, path, by: world.key, ...request(world) });
  print(
    method,
    path,
    status,
    why,
    answer.status === status ? 'as told' : `${answer.status}: ${answer.body?.message}`,
  );
  expect({ got: answer.status, body: answer.body }).toEqual({ got: status, body: answer.body });
  if (answer.status >= 400) expect(answer.body).toMatchObject({ kind: 'Error', message: expect.any(String) });
  if (!keep || answer.status >= 400) return;
  world.ids[keep] = answer.body.id ?? answer.body.recordingId;
  world.kept[keep] = answer.body;
}

const networkNow = () =>
  send({ method: 'GET', path: '/v1alpha/networks/{id}', params: world.ids, by: world.key });
const isIn = (state: string) => (answer: Answer) => answer.body.status?.state === state;

describe('secrets', () => {
  it.each(named(secretRows))('%s', async (_name, row) => check(row));
});

describe('networks', () => {
  it.each(named(networkRows))('%s', async (_name, row) => check(row));
});

describe('states of a network', () => {
  beforeAll(() => {
    world.ids.id = world.ids.network ?? '';
  });

  it('(none) → Pending, by POST', () => {
    print('state', 'Pending', 'answer of the POST', world.kept.network.status.state);
    expect(world.kept.network.status.state).toBe('Pending');
  });

  it('Pending → Operational, with every field of the status that it has by then', async () => {
    const { body } = await until('Operational', networkNow, isIn('Operational'));
    for (const field of [
      'enclaveID',
      'state',
      'message',
      'execution',
      'chainSpecHash',
      'lastActivityAt',
      'lastWakeUpAt',
    ]) {
      print('field', `status.${field}`, JSON.stringify(body.status[field]).slice(0, 60));
      expect(body.status[field]).toBeDefined();
    }
    expect(body.status.observedMaintenanceNonce).toBe(0);
  });

  it('maintenance: the nonce is observed once it is applied', async () => {
    const { body } = await networkNow();
    const spec = { ...body.spec, maintenanceRequest: { action: 'ResetState', nonce: 5 } };
    await send({
      method: 'PUT',
      path: '/v1alpha/networks/{id}',
      params: world.ids,
      body: { spec },
      by: world.key,
    });
    const isDone = (answer: Answer) => answer.body.status?.observedMaintenanceNonce === 5;
    const after = await until('the nonce', networkNow, isDone);
    print(
      'maintenance',
      'ResetState',
      `observedMaintenanceNonce ${after.body.status.observedMaintenanceNonce}`,
    );
  });

  it('→ Stopping → Stopped after the idle time; looking wakes it', async () => {
    const ref = ['--namespace', world.namespace, 'bnet', 'walked'];
    const patch = JSON.stringify({ status: { lastWakeUpAt: '2020-01-01T00:00:00Z' } });
    await until('Operational', networkNow, isIn('Operational'));
    const patched = await kubectl([
      'patch',
      ...ref,
      '--subresource=status',
      '--type=merge',
      '--patch',
      patch,
    ]);
    expect(patched.stderr).toBe('');
    const stopped = await until(
      'Stopped',
      () => getJson(...ref),
      ({ status }) => status.state === 'Stopped',
    );
    expect(stopped.status.lastStoppedAt).toMatch(/Z$/);
    const { items } = await getJson('--namespace', world.namespace, 'events');
    const told = items.map(({ message }: { message: string }) => message.split(':')[0]);
    expect(told).toEqual(expect.arrayContaining(['Stopping', 'Stopped']));
    await networkNow();
    const woken = await until('Operational', networkNow, isIn('Operational'));
    print('state', 'Stopped', stopped.status.lastStoppedAt, `woken ${woken.body.status.lastWakeUpAt}`);
    expect(Date.parse(woken.body.status.lastWakeUpAt)).toBeGreaterThanOrEqual(
      Date.parse(stopped.status.lastStoppedAt),
    );
  });

  it('→ Error, with the reason, while its secret is missing', async () => {
    const chain = { type: 'Base', base: { privateKeyRef: { name: 'nowhere' } } };
    const body = { name: 'lacking', spec: { chain } };
    const made = await send({ method: 'POST', path: '/v1alpha/networks', body, by: world.key });
    const params = { id: made.body.id };
    const ask = () => send({ method: 'GET', path: '/v1alpha/networks/{id}', params, by: world.key });
    const { status } = (await until('Error', ask, isIn('Error'))).body;
    print('state', 'Error', status.message);
    expect(status.message).toContain('nowhere');
  });

  it('DELETE is 409 while it is being deleted already', async () => {
    const ref = ['--namespace', world.namespace, 'patch', 'bnet', 'lacking', '--type=merge', '--patch'];
    const finalizers = (value: unknown) => JSON.stringify({ metadata: { finalizers: value } });
    await kubectl([...ref, finalizers(['example.com/held'])]);
    const { metadata } = await getJson('--namespace', world.namespace, 'bnet', 'lacking');
    const sent: Sent = {
      method: 'DELETE',
      path: '/v1alpha/networks/{id}',
      params: { id: metadata.uid },
      by: world.key,
    };
    const statuses = [(await send(sent)).status, (await send(sent)).status];
    await kubectl([...ref, finalizers(null)]);
    print('DELETE', sent.path, 409, 'it is being deleted', statuses.join(' then '));
    expect(statuses).toEqual([200, 409]);
  });
});

describe('selectable fields', () => {
  const rows: [string, string, string, string][] = [
    ['/v1alpha/networks', 'status.state', 'Operational', 'Error'],
    ['/v1alpha/networks', 'spec.chain.type', 'Ethereum', 'Solana'],
    ['/v1alpha/networks', 'metadata.ownerID', '', 'nobody'],
    ['/v1alpha/networks', 'spec.persistent', 'false', 'true'],
    ['/v1alpha/secrets', 'type', 'private-key', 'note'],
    ['/v1alpha/secrets', 'metadata.ownerID', '', 'nobody'],
  ];

  it.each(rows)('%s by %s: ==, !=, IN', async (path, field, value, other) => {
    const own = value || world.owner.userId;
    const count = async (clause: string) => {
      const query = `?selector=${encodeURIComponent(clause)}`;
      const { status, body } = await send({ method: 'GET', path, query, by: world.key });
      return status === 200 ? body.items.length : body;
    };
    const found = [
      await count(`${field} == ${own}`),
      await count(`${field} != ${own}`),
      await count(`${field} IN (${own}, ${other})`),
    ];
    print('selector', path, field, `== ${found[0]}`, `!= ${found[1]}`, `IN ${found[2]}`);
    expect(found).toEqual([1, 0, 1]);
  });
});

describe('recordings and transactions', () => {
  beforeAll(async () => {
    const { body } = await send({
      ...{ method: 'GET', path: '/v1alpha/networks/{id}/endpoints', params: world.ids, by: world.key },
    });
    const provider = new JsonRpcProvider(body.map.rpc);
    const hot = new Wallet(`0x${hotKey.toString('hex')}`, provider);
    await (await hot.sendTransaction({ to: world.address, value: parseEther('1') })).wait();
    provider.destroy();
  });

  it.each(named(recordingRows))('%s', async (_name, row) => check(row));
});

describe('tokens', () => {
  it.each(named(tokenRows))('%s', async (_name, row) => check(row));
});

describe('credentials', () => {
  const all = [...secretRows, ...networkRows, ...recordingRows, ...tokenRows, ...endRows];
  const endpoints = [...new Map(all.map((row) => [`${row.method} ${row.path}`, row])).entries()];
  const withKey = endpoints.filter(([name]) => !name.endsWith('/health'));

  it.each(withKey)('%s: 401 without, 403 to a viewer who may only read', async (name, { method, path }) => {
    const anonymous = await send({ method, path });
    const viewer = await send({ method, path, by: world.viewerKey });
    print(name, 401, anonymous.status, method === 'GET' ? 'read' : 403, viewer.status);
    expect(anonymous.status).toBe(401);
    if (method !== 'GET') expect(viewer.status).toBe(403);
    if (method === 'GET') expect([200, 404]).toContain(viewer.status);
  });
});

describe('headers', () => {
  it('of a success, of a create, of credentials', async () => {
    const { headers } = await networkNow();
    const request = { 'X-Request-ID': 'walk-1', Authorization: `Bearer ${world.key}` };
    const named = await call('GET', '/v1alpha/networks', { isAnonymous: true, headers: request });
    const [id = '', secret = ''] = world.key.split('.');
    const pair = { 'X-API-Key-ID': id, 'X-API-Key-Secret': secret };
    const byPair = await call('GET', '/network/v1alpha/networks', { isAnonymous: true, headers: pair });
    print('header', 'ETag', headers.get('etag'), 'Content-Type', headers.get('content-type'));
    expect(headers.get('etag')).toBeTruthy();
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(named.headers.get('x-request-id')).toBe('walk-1');
    expect(byPair.status).toBe(200);
  });
});

describe('fields', () => {
  const rows = fieldRows.flatMap(([object, fields]) =>
    fields.split(' ').map((field): [string, string] => [object, field]),
  );

  it.each(rows)('%s: %s', (object, field) => {
    const found = findField(document.components.schemas, object, field.replace('!', ''));
    print('field', object, field, found ? (found.isRequired ? 'required' : 'optional') : 'missing');
    expect(found).toBeDefined();
    if (field.endsWith('!')) expect(found?.isRequired).toBe(true);
  });

  it.each(valueRows)('%s: %s is one of %s', (object, field, values) => {
    const found = findField(document.components.schemas, object, field);
    const allowed = valuesOf(found?.schema ?? {});
    print('values', object, field, allowed.join(' '));
    expect(allowed).toEqual(expect.arrayContaining(values.split(' ')));
  });
});

describe('the end', () => {
  it.each(named(endRows))('%s', async (_name, row) => check(row));
});
