import { jest } from '@jest/globals';
import { JsonRpcProvider } from 'ethers';
import type { TokenResource } from '../../core/api/tokenResource.ts';
import {
  addThreeTypes,
  type ChainScene,
  createChainScene,
  type SceneNetwork,
} from '../../core/transactions/testing/scene.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { createMortalKube } from '../network/testing/mortalKube.ts';
import { asUser } from './testing/ccip.ts';
import { createChainDeps, createToken, isDeployed, startTokenOperator } from './testing/operator.ts';
import { startOutboxOperator } from './testing/outbox.ts';

jest.setTimeout(240_000);

const kube = createTestKube();
let scene: ChainScene;
beforeAll(async () => {
  scene = await createChainScene(kube);
});
afterAll(async () => {
  await scene.stop();
  await kube.close();
});

const startNetworks = (name: string) => addThreeTypes(scene, [`${name}0`, `${name}1`, `${name}2`]);

/** Each transaction of an account is one nonce: twice the same would be one more. */
async function noncesOn(networks: readonly SceneNetwork[], service: string): Promise<number[][]> {
  const accounts = [scene.wallet.address, service];
  return Promise.all(
    networks.map(({ url }) => {
      const provider = new JsonRpcProvider(url);
      return Promise.all(accounts.map((account) => provider.getTransactionCount(account)));
    }),
  );
}

const cctOn = (networks: readonly SceneNetwork[]) =>
  createToken(kube, scene, {
    type: 'CCT',
    mechanism: 'lock-release',
    deployments: networks.map(({ name }) => ({
      network: name,
      args: { total_supply: '1000', liquidity: 100 },
    })),
  });

/** Messages of a token while relays die at one write after the other: each arrives, once. */
async function relayThroughDeaths(token: TokenResource, networks: readonly SceneNetwork[]): Promise<void> {
  const [from, to] = networks;
  if (!from || !to) throw new Error('no networks');
  const user = asUser(scene, `0x${'78'.repeat(20)}`);
  for (let at = 1; at <= 6; at += 1) {
    const mortal = createMortalKube(kube, { at, when: at % 2 === 0 ? 'before' : 'after' });
    mortal.arm();
    const operator = await startTokenOperator(mortal.kube, scene);
    await user.ccipSend(token, [from, to], 10n);
    await mortal.died;
    await operator.stop({ isDead: true });
  }
  const survivor = await startTokenOperator(kube, scene);
  await user.ccipSend(token, [from, to], 10n);
  await user.arrived(token, to, 70n).finally(() => survivor.stop());
}

test('an operator that dies at every few writes comes to the same end, and nothing is deployed twice', async () => {
  const deps = createChainDeps(kube, scene);
  const service = deps.signers.serviceOf(scene.user.namespace).address;
  const [calm, rough] = await Promise.all([startNetworks('calm'), startNetworks('rough')]);
  const undisturbed = await startTokenOperator(kube, scene);
  const outbox = await startOutboxOperator(kube, scene, undisturbed.deps);
  try {
    await undisturbed.reach(await cctOn(calm), isDeployed);
    const expected = await noncesOn(calm, service);
    await undisturbed.stop({ keepCaches: true });
    const name = await cctOn(rough);
    const deaths = new Set<string>();
    for (let life = 0; life < 400; life += 1) {
      const mortal = createMortalKube(kube, {
        at: 1 + (life % 4),
        when: life % 2 === 0 ? 'before' : 'after',
      });
      mortal.arm();
      const operator = await startTokenOperator(mortal.kube, scene);
      const over = new AbortController();
      const reached = operator.reach(name, isDeployed, over.signal).catch(() => undefined);
      await Promise.race([mortal.died, reached]);
      over.abort();
      const token = await reached;
      if (mortal.isDead()) deaths.add(mortal.writes.at(-1)?.split(' ')[1] ?? '');
      await operator.stop({ isDead: mortal.isDead() });
      if (token) break;
    }
    // Which write of a kind comes when is for the machine to say.
    expect([...deaths].sort()).toEqual(['Journal', 'Outbox', 'Token']);
    const token = await undisturbed.reach(name, isDeployed);
    expect(token.status?.deployed).toBe('3/3');
    expect(await noncesOn(rough, service)).toEqual(expected);
    await relayThroughDeaths(token, rough);
  } finally {
    await outbox.stop();
    await undisturbed.stop();
  }
});
