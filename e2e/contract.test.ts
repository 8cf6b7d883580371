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
import { addRow, printReport } from './contract/report.ts';
import { closeWorld, isIn, networkNow, openWorld, send, unknownId, type World } from './contract/world.ts';
import { call, until } from './lib/service.ts';

/** Checks every row of the specification's tables against the installed service and prints one line per row. */

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  printReport();
  await closeWorld(world);
});

const named = (rows: EndpointRow[]) =>
  rows.map((row): [string, EndpointRow] => [`${row.method} ${row.path} ${row.status}: ${row.why}`, row]);

async function check(row: EndpointRow): Promise<void> {
  const { method, path, status, why, request, keep } = row;
  const answer = await send({ method, path, by: world.key, ...request(world) });
  addRow(
    method,
    path,
    status,
    why,
    answer.status === status ? 'as specified' : `${answer.status}: ${answer.body?.message}`,
  );
  expect({ got: answer.status, body: answer.body }).toEqual({ got: status, body: answer.body });
  if (answer.status >= 400) expect(answer.body).toMatchObject({ kind: 'Error', message: expect.any(String) });
  if (!keep || answer.status >= 400) return;
  world.ids[keep] = answer.body.id ?? answer.body.recordingId;
}

describe('secrets', () => {
  it.each(named(secretRows))('%s', async (_name, row) => check(row));
});

describe('networks', () => {
  it.each(named(networkRows))('%s', async (_name, row) => check(row));
});

describe('recordings and transactions', () => {
  beforeAll(async () => {
    await until('Operational', () => networkNow(world), isIn('Operational'));
    const { body } = await send({
      method: 'GET',
      path: '/v1alpha/networks/{id}/endpoints',
      by: world.key,
      params: { id: world.ids.network ?? unknownId },
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
    addRow('selector', path, field, `== ${found[0]}`, `!= ${found[1]}`, `IN ${found[2]}`);
    expect(found).toEqual([1, 0, 1]);
  });
});

describe('credentials', () => {
  const all = [...secretRows, ...networkRows, ...recordingRows, ...tokenRows, ...endRows];
  const endpoints = [...new Map(all.map((row) => [`${row.method} ${row.path}`, row])).entries()];
  const withKey = endpoints.filter(([name]) => !name.endsWith('/health'));

  it.each(withKey)(
    '%s: 401 without credentials, 403 for a read-only viewer',
    async (name, { method, path }) => {
      const anonymous = await send({ method, path });
      const viewer = await send({ method, path, by: world.viewerKey });
      addRow(name, 401, anonymous.status, method === 'GET' ? 'read' : 403, viewer.status);
      expect(anonymous.status).toBe(401);
      if (method !== 'GET') expect(viewer.status).toBe(403);
      if (method === 'GET') expect([200, 404]).toContain(viewer.status);
    },
  );
});

describe('headers', () => {
  it('are set on success, and both forms of credentials are accepted', async () => {
    const { headers } = await networkNow(world);
    const request = { 'X-Request-ID': 'walk-1', Authorization: `Bearer ${world.key}` };
    const named = await call('GET', '/v1alpha/networks', { isAnonymous: true, headers: request });
    const [id = '', secret = ''] = world.key.split('.');
    const pair = { 'X-API-Key-ID': id, 'X-API-Key-Secret': secret };
    const byPair = await call('GET', '/network/v1alpha/networks', { isAnonymous: true, headers: pair });
    addRow('header', 'ETag', headers.get('etag'), 'Content-Type', headers.get('content-type'));
    expect(headers.get('etag')).toBeTruthy();
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(named.headers.get('x-request-id')).toBe('walk-1');
    expect(byPair.status).toBe(200);
  });
});

describe('deletion', () => {
  it.each(named(endRows))('%s', async (_name, row) => check(row));
});
