import { jest } from '@jest/globals';
import { createChainScene } from '../../core/outbox/testing/scene.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { createMortalKube } from '../network/testing/mortalKube.ts';
import { asUser } from '../token/testing/ccip.ts';
import { createToken, isDeployed, startTokenOperator } from '../token/testing/operator.ts';
import { startOutboxOperator } from '../token/testing/outbox.ts';

jest.setTimeout(240_000);

const kube = createTestKube();
afterAll(() => kube.close());

test('while relays die at one write after the other, each message of a token arrives exactly once', async () => {
  const scene = await createChainScene(kube);
  const user = asUser(scene, `0x${'78'.repeat(20)}`);
  const [from, to] = await Promise.all([scene.addNetwork('a'), scene.addNetwork('b')]);
  const undisturbed = await startTokenOperator(kube, scene);
  // What was accepted is sent, whoever dies.
  const outbox = await startOutboxOperator(kube, scene, undisturbed.deps);
  try {
    const args = { total_supply: '1000', liquidity: 100 };
    const deployments = [from, to].map(({ name }) => ({ network: name, args }));
    const name = await createToken(kube, scene, { type: 'CCT', mechanism: 'lock-release', deployments });
    const token = await undisturbed.reach(name, isDeployed);
    await undisturbed.stop({ keepCaches: true });
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
  } finally {
    await outbox.stop();
    await undisturbed.stop();
    await scene.stop();
  }
});
