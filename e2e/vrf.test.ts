import { remove } from './lib/networks.ts';
import { call } from './lib/service.ts';
import { createVrfNetwork, readyVrf, rollDice, type VrfNetwork } from './lib/vrf.ts';

let network: VrfNetwork;
beforeAll(async () => {
  network = await createVrfNetwork({});
});
afterAll(async () => {
  network.provider.destroy();
  await remove(network.id);
});

it('a VRFConsumerBaseV2Plus consumer gets words', async () => {
  expect(new Set(await rollDice(network)).size).toBe(3);
});

it('a consumer gets words on the new chain after ResetState', async () => {
  const { deployment } = await readyVrf(network);
  const path = `/v1alpha/networks/${network.id}`;
  const { body } = await call('GET', path);
  const spec = { ...body.spec, maintenanceRequest: { action: 'ResetState', nonce: 1 } };
  const { status } = await call('PUT', path, { body: { name: body.name, spec } });
  expect(status).toBe(200);
  expect(await rollDice(network, deployment)).toHaveLength(3);
});
