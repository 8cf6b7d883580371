import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { getJson, namespace } from '../lib/cluster.ts';
import { memoryOfPods } from '../lib/memory.ts';
import { createHotKey, endpointsOf, remove } from '../lib/networks.ts';
import { askRpc, type ReadinessCallName, readinessCalls, sendReadinessCall } from '../lib/readinessCalls.ts';
import { type Answer, call, until } from '../lib/service.ts';
import { ask, createSecret, minuteMs, untilNothingIsLeft } from './families.ts';

const gibibyte = 1024 ** 3;

interface Scene {
  id: string;
  name: string;
  family: string;
  calls: ReadinessCallName[];
}

const scene: Scene[] = [];
/** Ids of the networks that are Operational. */
const operational: string[] = [];
const operationalNetworks = () => scene.filter(({ id }) => operational.includes(id));

/** Registers a created network without waiting for it, so that all of them start in parallel. */
async function add(family: string, calls: ReadinessCallName[], answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  expect([family, status, body.message]).toEqual([family, 201, body.message]);
  scene.push({ id: body.id, name: body.name, family, calls });
  return body.name;
}

beforeAll(async () => {
  const privateKeyRef = { name: (await createHotKey()).name };
  const rune = { name: await createSecret(randomBytes(32)) };
  const sol = { name: await createSecret(Keypair.generate().secretKey) };
  const participants = [{}];
  const [evm, base] = await Promise.all([
    add('evm-dev', ['evm'], ask('Ethereum', { privateKeyRef })),
    add('an L2', ['evm'], ask('Base', { privateKeyRef })),
    add('participants', ['evm', 'beacon'], ask('Ethereum', { privateKeyRef, participants, blockTime: 2 })),
    add('Thorchain', ['thorchain'], ask('Thorchain', { privateKeyRef: rune })),
    add('Solana', ['solana'], ask('Solana', { privateKeyRef: sol })),
  ]);
  const networks = [evm, base].map((name) => ({ networkRef: { name } }));
  await add('LayerZero', [], ask('LayerZero', { networks }));
});

/** Waits until a network is Operational or has failed, and returns its state. */
async function stateOf({ id, family }: Scene): Promise<string> {
  const { body } = await until(
    `the state of ${family}`,
    () => call('GET', `/v1alpha/networks/${id}`),
    ({ body: { status } }) => status?.state === 'Operational' || status?.state === 'Error',
    4 * minuteMs,
  );
  if (body.status.state === 'Operational') operational.push(id);
  return body.status.state === 'Operational' ? 'Operational' : `${body.status.state}: ${body.status.message}`;
}

it('all networks run at the same time', async () => {
  const states = await Promise.all(scene.map(async (one) => [one.family, await stateOf(one)]));
  expect(states).toEqual(scene.map(({ family }) => [family, 'Operational']));
  expect(scene).toHaveLength(6);
});

it('each network responds through the gateway', async () => {
  for (const { id, family, calls } of operationalNetworks()) {
    const urls = calls.length > 0 ? await endpointsOf(id) : {};
    for (const callName of calls) {
      const { service, answer } = readinessCalls[callName];
      const response = await sendReadinessCall(urls[service] ?? '', callName);
      expect([family, response]).toEqual([family, expect.stringMatching(answer)]);
    }
  }
});

it('LayerZero has its endpoint on each member', async () => {
  const [{ id, name } = { id: '', name: '' }] = scene.filter(({ family }) => family === 'LayerZero');
  const urls = await endpointsOf(id);
  const { status } = await getJson('networks.slipway.dev', name);
  expect(status.layerzero.members).toHaveLength(2);
  for (const { network, endpoint } of status.layerzero.members) {
    const code = await askRpc(urls[`${network}-rpc`], {
      method: 'eth_getCode',
      params: [endpoint, 'latest'],
    });
    expect(code.length).toBeGreaterThan(1_000);
  }
});

it('all networks together fit into 6 GiB', async () => {
  const pods = await Promise.all(
    operationalNetworks().map(({ id }) => getJson('pods', '--selector', `slipway.dev/network=${id}`)),
  );
  const names = pods.flatMap(({ items }) =>
    items.map(({ metadata }: { metadata: { name: string } }) => `${namespace}/${metadata.name}`),
  );
  // By then all of them have produced blocks.
  const sinceMs = Date.now() + 20_000;
  const memory = await until(
    'the memory metrics of each pod',
    () => memoryOfPods(sinceMs),
    (found) => names.every((name) => found.has(name)),
  );
  const sum = names.reduce((total, name) => total + (memory.get(name) ?? 0), 0);
  console.log(`${operational.length} networks: ${Math.round(sum / 1024 ** 2)} MiB in ${names.length} pods`);
  expect(sum).toBeLessThan(6 * gibibyte);
});

it('the networks leave nothing behind when they are deleted', async () => {
  const ofMembers = scene.filter(({ family }) => family === 'LayerZero');
  for (const { id } of ofMembers) await remove(id);
  await Promise.all(scene.filter((one) => !ofMembers.includes(one)).map(({ id }) => remove(id)));
  for (const { id } of scene) await untilNothingIsLeft(id);
});
