import { findLocalCluster } from '../../hack/builder/local.ts';
import { isBuilderRunning, startBuilder, stopBuilder } from '../../hack/builder/service.ts';
import { hasImage, patchEntries, readEntries } from '../lib/engines.ts';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from '../lib/networks.ts';
import { call, until } from '../lib/service.ts';
import { reachBlock } from './ethereumChain.ts';
import { minuteMs } from './families.ts';

/** A network with participants on an installation without its clients, and the builder that `make up` leaves on the machine. */

const engines = ['ethereum-genesis', 'geth', 'prysm', 'prysm-validator'];
/** As a builder offers them: this one looks again only when something else is wanted. */
const offer = JSON.stringify({ state: 'Buildable', takes: 'about 8 minutes' });

let wasRunning: boolean;
let id: string;
beforeAll(async () => {
  const chart = await readEntries('chart');
  const named = engines.filter((engine) => hasImage(chart[engine]));
  if (named.length > 0)
    throw new Error(`the chart names an image of ${named.join(', ')}: build it, and run make up`);
  const cluster = await findLocalCluster();
  if (!cluster) throw new Error('there is no cluster of this machine');
  wasRunning = isBuilderRunning();
  await startBuilder(cluster.kind);
  await patchEntries('available', Object.fromEntries(engines.map((engine) => [engine, offer])));
});
afterAll(async () => {
  await remove(id);
  if (!wasRunning) await stopBuilder();
});

it('participants that are created before their clients are there become Operational by themselves', async () => {
  const key = await createHotKey();
  const chain = { privateKeyRef: { name: key.name }, blockTime: 2, participants: [{}] };
  const { status, body } = await until(
    'the builder to live',
    () => createNetwork(chain),
    (answer) => answer.status === 201,
    2 * minuteMs,
  );
  expect([status, body]).toEqual([201, expect.anything()]);
  ({ id } = body);
  const messages = new Set<string>();
  const isOperational = await until(
    `network ${id} to become Operational`,
    async () => (await call('GET', `/v1alpha/networks?selector=id==${id}`)).body.items[0].status,
    ({ state, message }) => {
      messages.add(`${state} ${message}`);
      return state === 'Operational' || state === 'Error';
    },
    50 * minuteMs,
  );
  expect(isOperational.state).toBe('Operational');
  expect([...messages].join('\n')).toMatch(
    /Pending (engines\.\S+ is being built, which takes|waiting for the builder)/,
  );
  await reachBlock((await endpointsOf(id)).rpc, 2);
});

it('nothing is wanted then, and what was built is available', async () => {
  const wanted = Object.keys(await readEntries('wanted'));
  expect(engines.filter((engine) => wanted.includes(engine))).toEqual([]);
  const available = await readEntries('available');
  for (const engine of engines) expect(JSON.parse(available[engine] ?? '{}').state).toBe('Available');
  await reach(id, 'Operational');
});
