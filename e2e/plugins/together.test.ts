import { jest } from '@jest/globals';
import { pluginNames } from '../../core/api/resources/plugins.ts';
import { getJson, kubectl } from '../lib/cluster.ts';
import { createHotKey, createNetwork, reach, remove } from '../lib/networks.ts';
import { call, until } from '../lib/service.ts';

jest.setTimeout(300_000);

const plugins = Object.fromEntries(pluginNames.map((name) => [name, {}]));
let id: string;
let name: string;
beforeAll(async () => {
  const key = await createHotKey();
  const { status, body } = await createNetwork({ privateKeyRef: { name: key.name }, plugins });
  if (status !== 201) throw new Error(JSON.stringify(body));
  ({ id, name } = body);
});

it('all plugins run on one network', async () => {
  await reach(id, 'Operational');
  const ask = async () => (await call('GET', `/v1alpha/networks/${id}`)).body.status;
  const stateOf = (status: { plugins?: Record<string, { state: string }> }, plugin: string) =>
    status.plugins?.[plugin]?.state;
  const status = await until(
    'every plugin to be ready',
    ask,
    (found) => pluginNames.every((plugin) => stateOf(found, plugin) === 'Ready'),
    180_000,
  );
  const conditions = status.conditions.filter(({ type }: { type: string }) => type.startsWith('Plugin'));
  expect(conditions.map((one: { status: string }) => one.status)).toEqual(pluginNames.map(() => 'True'));
});

it('a network that is deleted leaves nothing of its plugins', async () => {
  const secrets = (await getJson('secrets', '--selector', `slipway.dev/network=${id}`)).items;
  expect(secrets.length).toBeGreaterThan(0);
  await remove(id);
  const kinds = 'pods,services,configmaps,secrets,persistentvolumeclaims,endpointslices';
  const left = async () =>
    (await kubectl(['get', kinds, '--selector', `slipway.dev/network=${id}`, '-o', 'name'])).stdout;
  expect(await until(`${name} to leave`, left, (names) => names === '')).toBe('');
});
