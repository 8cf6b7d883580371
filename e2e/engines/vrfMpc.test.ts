import { endpointsOf, remove } from '../lib/networks.ts';
import { createVrfNetwork, readyVrf, rollDice, type VrfNetwork } from '../lib/vrf.ts';

let network: VrfNetwork;
beforeAll(async () => {
  network = await createVrfNetwork({ type: 'mpc' });
});
afterAll(async () => {
  network.provider.destroy();
  await remove(network.id);
});

it('a VRFConsumerBaseV2Plus consumer gets words that the committee signed', async () => {
  expect(new Set(await rollDice(network)).size).toBe(3);
});

it("the endpoint vrf is drand's HTTP, with the key that status tells", async () => {
  const { values } = await readyVrf(network);
  const { vrf } = await endpointsOf(network.id);
  const info = (await (await fetch(`${vrf}/info`)).json()) as { public_key: string };
  expect(info.public_key).toBe(values.groupPublicKey);
});
