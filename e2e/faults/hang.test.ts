import { existsSync } from 'node:fs';
import { JsonRpcProvider } from 'ethers';
import { layout } from '../../hack/nativeNode/setup/layout.ts';
import { getJson, namespace } from '../lib/cluster.ts';
import { endpointsOf, reach, remove } from '../lib/networks.ts';
import { killPod } from '../lib/processes.ts';
import { type Answer, call, freshName, until } from '../lib/service.ts';

// The kubelet ends a container whose check has failed for three minutes, after a grace period.
const limitMs = 420_000;
const cause = 'the engine did not answer for three minutes and was ended';

const networks: string[] = [];
afterAll(() => Promise.all(networks.map(remove)));

async function startNetwork(persistent: boolean): Promise<{ id: string; provider: JsonRpcProvider }> {
  const { status, body } = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('hang'), spec: { persistent, chain: { type: 'Base', base: {} } } },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  networks.push(body.id);
  await reach(body.id, 'Operational');
  const { admin = '' } = await endpointsOf(body.id);
  return { id: body.id, provider: new JsonRpcProvider(admin, undefined, { staticNetwork: true }) };
}

/** Stops all processes of the network's engine, as if they waited for each other. */
async function hang(id: string): Promise<void> {
  const { items } = await getJson('pods', '--selector', `slipway.dev/network=${id}`);
  await killPod(namespace, items[0].metadata.name, 'SIGSTOP');
}

const restartedOnce = (id: string) =>
  until(
    `the engine of ${id} to be restarted`,
    () => getJson('pods', '--selector', `slipway.dev/network=${id}`),
    ({ items }) => items[0]?.status.containerStatuses?.[0]?.restartCount === 1,
    limitMs,
  );

// The processes of other clusters are not on this machine.
const onNativeNode = existsSync(layout.services) ? it : it.skip;

onNativeNode(
  'a hung engine is restarted: a chain on a volume goes on, and any other begins again and says why',
  async () => {
    const [kept, lost] = await Promise.all([startNetwork(true), startNetwork(false)]);
    await Promise.all([kept, lost].map(({ provider }) => provider.send('anvil_mine', ['0x7'])));
    // A persistent chain is saved every two seconds.
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    await Promise.all([hang(kept.id), hang(lost.id)]);
    await Promise.all([restartedOnce(kept.id), restartedOnce(lost.id)]);
    await Promise.all([reach(kept.id, 'Operational'), reach(lost.id, 'Operational')]);
    expect(await kept.provider.getBlockNumber()).toBeGreaterThanOrEqual(7);
    const { body } = await until(
      'the status of the next chain',
      () => call('GET', `/v1alpha/networks/${lost.id}`),
      ({ body }: Answer) => body.status?.previousChain !== undefined,
    );
    expect(body.status).toMatchObject({ previousChain: { reason: cause } });
    expect(body.status.message).toContain(cause);
    for (const { provider } of [kept, lost]) provider.destroy();
  },
);
