import { type Answer, until } from '../lib/service.ts';
import {
  type EndpointRow,
  endRows,
  hotKey,
  networkRows,
  recordingRows,
  secretRows,
  tokenRows,
} from './endpoints.ts';
import { addRow, printReport } from './report.ts';
import { closeWorld, openWorld, send, unknownId, type World } from './world.ts';

/**
 * Each operation of the specification with each of its status codes. `e2e/contract.test.ts` walks the rows of
 * `endpoints.ts`; this adds those that need more than one network, and checks that no pair is left out.
 */

const networks = '/v1alpha/networks';
const secrets = '/v1alpha/secrets';
const tx = '/v1alpha1/transaction';
const token = `${tx}/token`;

/** The endpoint tables of the specification. */
const specified: [operation: string, codes: number[]][] = [
  [`GET ${networks}`, [200, 404]],
  [`GET ${networks}/{id}`, [200, 404]],
  [`GET ${networks}/{id}/endpoints`, [200, 404]],
  [`POST ${networks}`, [201, 400]],
  [`PUT ${networks}/{id}`, [200, 400, 404, 409]],
  [`DELETE ${networks}/{id}`, [200, 404, 409]],
  [`GET ${secrets}`, [200, 404]],
  [`GET ${secrets}/{id}`, [200, 404]],
  [`POST ${secrets}`, [201, 400]],
  [`DELETE ${secrets}/{id}`, [200, 404, 409]],
  [`GET ${token}`, [200]],
  [`GET ${token}/{token_id}`, [200, 404]],
  [`DELETE ${token}/{token_id}`, [204, 404]],
  [`POST ${token}/{token_id}/add-deployments`, [201, 400]],
  [`GET ${token}/{token_id}/deployments`, [200]],
  [`GET ${token}/{token_id}/deployments/{network_id}`, [200, 404]],
  [`DELETE ${token}/{token_id}/deployments/{network_id}`, [204, 404]],
  [`GET ${tx}/token-types`, [200]],
  [`GET ${tx}/health`, [200]],
  ...['erc20', 'cct/lock-release', 'cct/burn-mint', 'erc3643', 'oft'].map((path): [string, number[]] => [
    `POST ${token}/${path}/deploy`,
    [201, 400],
  ]),
  [`POST ${tx}/submit`, [202, 400]],
  [`POST ${tx}/recording/start`, [201, 400]],
  [`POST ${tx}/recording/stop`, [200, 400, 404]],
  [`GET ${tx}/recording/list-all`, [200]],
  [`GET ${tx}/recording/{id}`, [200, 404]],
  [`GET ${tx}/recording/active/{userAddress}`, [200]],
  [`POST ${tx}/recording/replay`, [200, 400, 404]],
];

/** The pairs that this file checks. */
const here = [
  `DELETE ${networks}/{id} 409`,
  `POST ${token}/{token_id}/add-deployments 201`,
  `POST ${token}/oft/deploy 201`,
];

it('no operation and no status code of the specification is left out', () => {
  const rows: EndpointRow[] = [...secretRows, ...networkRows, ...recordingRows, ...tokenRows, ...endRows];
  const covered = new Set([
    ...rows.map(({ method, path, status }) => `${method} ${path} ${status}`),
    ...here,
  ]);
  const pairs = specified.flatMap(([operation, codes]) => codes.map((code) => `${operation} ${code}`));
  expect(pairs.filter((pair) => !covered.has(pair))).toEqual([]);
});

describe('what needs several networks', () => {
  let world: World;
  const ids: string[] = [];
  let mesh: string;

  const ask = (method: string, path: string, more: object = {}): Promise<Answer> =>
    send({ method, path, by: world.key, ...more });
  const read = (id: string) => ask('GET', `${networks}/{id}`, { params: { id } });
  async function create(name: string, chain: object): Promise<string> {
    const { status, body } = await ask('POST', networks, { body: { name, spec: { chain } } });
    expect([status, body.message]).toEqual([201, undefined]);
    return body.id;
  }
  const untilUp = (id: string) =>
    until(
      'Operational',
      () => read(id),
      ({ body }) => body.status.state === 'Operational',
    );

  beforeAll(async () => {
    world = await openWorld();
    const key = { name: 'hot', type: 'private-key', data: hotKey.toString('base64') };
    await ask('POST', secrets, { body: key });
    ids.push(await create('one', { type: 'Base', base: {} }), await create('two', { type: 'BNB', bnb: {} }));
    await Promise.all(ids.map(untilUp));
    const members = ['one', 'two'].map((name) => ({ networkRef: { name } }));
    mesh = await create('mesh', { type: 'LayerZero', layerzero: { networks: members } });
    await untilUp(mesh);
  });
  afterAll(async () => {
    printReport();
    await closeWorld(world);
  });

  it('a network that another one has as a member cannot be deleted: 409', async () => {
    const { status, body } = await ask('DELETE', `${networks}/{id}`, { params: { id: ids[0] } });
    addRow('DELETE', `${networks}/{id}`, status, body.message);
    expect([status, body.kind, body.reason]).toEqual([409, 'Error', 'Conflict']);
    expect(body.message).toContain('mesh');
  });

  it('an OFT token is created with 201, and is deployed within lz_fee', async () => {
    const { body: network } = await read(mesh);
    const endpointOn = (id: string) =>
      network.status.layerzero.members.find(({ networkID }: { networkID: string }) => networkID === id)
        .endpoint;
    const deployments = ids.map((id) => ({
      network_id: id,
      args: { total_supply: '1000000000000000000', layer_zero_endpoint: endpointOn(id) },
    }));
    const spec = { adapter_parameters: { lz_fee: '100' } };
    const body = { name: 'Walked', symbol: 'OFT', deployments, spec };
    const created = await ask('POST', `${token}/oft/deploy`, { body });
    addRow('POST', `${token}/oft/deploy`, created.status, created.body.message);
    expect([created.status, created.body.type]).toEqual([201, 'OFT']);
    const isDone = ({ body: now }: Answer) =>
      now.deployments.every(
        (one: { token_address: string; message?: string }) => one.token_address && !one.message,
      );
    const get = () => ask('GET', `${token}/{token_id}`, { params: { token_id: created.body.id } });
    await until('its deployments', get, isDone);
  });

  it('a token is deployed on a further network: 201', async () => {
    const args = { total_supply: '5' };
    const body = { name: 'More', symbol: 'MRE', deployments: [{ network_id: ids[0], args }] };
    const { body: first } = await ask('POST', `${token}/erc20/deploy`, { body });
    const params = { token_id: first.id };
    const path = `${token}/{token_id}/add-deployments`;
    const added = await ask('POST', path, { params, body: { networks: [ids[1]], args } });
    addRow('POST', path, added.status, added.body.message);
    expect([added.status, added.body.deployments?.length]).toEqual([201, 2]);
  });

  it.each([
    ['no credentials', undefined, 401],
    ['a token that is none', 'nobody.nothing', 401],
  ])('%s: %s is answered with %i', async (_what, by, status) => {
    const answer = await send({ method: 'GET', path: networks, ...(by === undefined ? {} : { by }) });
    expect([answer.status, answer.body.kind]).toEqual([status, 'Error']);
  });

  it('a viewer may not write: 403; an object that nobody sees is 404', async () => {
    const body = { name: 'x', spec: { chain: { type: 'Base', base: {} } } };
    const refused = await send({ method: 'POST', path: networks, by: world.viewerKey, body });
    const hidden = await ask('GET', `${networks}/{id}`, { params: { id: unknownId } });
    expect([refused.status, hidden.status]).toEqual([403, 404]);
  });
});
