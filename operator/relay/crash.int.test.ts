import { JsonRpcProvider } from 'ethers';
import { createMortalKube } from '../../core/kube/testing/mortalKube.ts';
import { createChainScene } from '../../core/outbox/testing/scene.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { asUser } from '../token/testing/ccip.ts';
import { createToken, isDeployed, startTokenOperator } from '../token/testing/operator.ts';
import { startOutboxOperator } from '../token/testing/outbox.ts';

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
    let sent = 0n;
    const send = async () => {
      await user.ccipSend(token, [from, to], 10n);
      sent += 10n;
    };
    for (let at = 1; at <= 6; at += 1) {
      const mortal = createMortalKube(kube, { at, when: at % 2 === 0 ? 'before' : 'after' });
      mortal.arm();
      const operator = await startTokenOperator(mortal.kube, scene);
      // A relay writes less often for messages that it takes together: once all have arrived, it needs another one.
      while (!mortal.isDead()) {
        await send();
        await Promise.race([mortal.died, user.arrived(token, to, sent).catch(() => undefined)]);
      }
      await operator.stop({ isDead: true });
    }
    const survivor = await startTokenOperator(kube, scene);
    await send();
    await user.arrived(token, to, sent).finally(() => survivor.stop());
  } finally {
    await outbox.stop();
    await undisturbed.stop();
    await scene.stop();
  }
});

test('while relays die after their source went back, no message is lost and none arrives twice', async () => {
  const scene = await createChainScene(kube);
  const user = asUser(scene, `0x${'79'.repeat(20)}`);
  const [from, to] = await Promise.all([scene.addNetwork('a'), scene.addNetwork('b')]);
  const node = new JsonRpcProvider(from.url);
  let operator = await startTokenOperator(kube, scene);
  const first = operator;
  const outbox = await startOutboxOperator(kube, scene, first.deps);
  try {
    const deployments = [from, to].map(({ name }) => ({ network: name, args: { total_supply: '1000' } }));
    const name = await createToken(kube, scene, { type: 'CCT', mechanism: 'burn-mint', deployments });
    const token = await operator.reach(name, isDeployed);
    let arrived = 0n;
    for (const [at, when] of [
      [1, 'before'],
      [1, 'after'],
      [2, 'after'],
      [3, 'after'],
    ] as const) {
      const snapshot = await node.send('evm_snapshot', []);
      await user.ccipSend(token, [from, to], 10n);
      arrived += 10n;
      await user.arrived(token, to, arrived);
      await operator.stop({ keepCaches: operator === first });
      await node.send('evm_revert', [snapshot]);
      const mortal = createMortalKube(kube, { at, when });
      mortal.arm();
      const dying = await startTokenOperator(mortal.kube, scene);
      // It has the sequence number of the message before, which is no longer on the chain.
      await user.ccipSend(token, [from, to], 3n);
      await mortal.died;
      await dying.stop({ isDead: true });
      operator = await startTokenOperator(kube, scene);
      arrived += 3n;
      await user.arrived(token, to, arrived);
    }
  } finally {
    node.destroy();
    if (operator !== first) await operator.stop();
    await outbox.stop();
    await first.stop();
    await scene.stop();
  }
});
