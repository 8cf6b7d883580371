import { JsonRpcProvider } from 'ethers';
import { createMortalKube, type Death } from '../../core/kube/testing/mortalKube.ts';
import { type ChainScene, createChainScene, type SceneNetwork } from '../../core/outbox/testing/scene.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { startOutboxOperator } from '../token/testing/outbox.ts';
import { awaitSupply, deployOfts, sendOft, supplyOf } from './testing/oft.ts';
import {
  createMesh,
  endpointOn,
  isOperational,
  type LayerZeroOperator,
  startLayerZeroOperator,
} from './testing/operator.ts';

const kube = createTestKube();
const maxRuns = 300;
let scene: ChainScene;
let members: SceneNetwork[];
let calm: LayerZeroOperator;
/** Operators that do not crash, one after the other. The Outbox uses the caches of the first. */
const undisturbed: LayerZeroOperator[] = [];
let outbox: Awaited<ReturnType<typeof startOutboxOperator>>;

beforeAll(async () => {
  scene = await createChainScene(kube);
  members = await Promise.all(['a', 'b'].map((name) => scene.addNetwork(name)));
  await begin();
  outbox = await startOutboxOperator(kube, scene, calm.chainDeps);
  // Creating the first network also funds the service account.
  await createMesh(kube, scene, { name: 'first', members: ['a', 'b'] });
  await calm.reach('first', isOperational);
});
afterAll(async () => {
  await outbox.stop();
  for (const operator of undisturbed) await operator.stop();
  await scene.stop();
  await kube.close();
});

async function begin(): Promise<void> {
  calm = await startLayerZeroOperator(kube, scene);
  undisturbed.push(calm);
}

/** Each transaction has its own block. */
const countTransactions = (): Promise<number[]> =>
  Promise.all(
    members.map(async ({ url }) => {
      const provider = new JsonRpcProvider(url);
      const count = await provider.getBlockNumber();
      provider.destroy();
      return count;
    }),
  );

/** Runs operators that crash as specified, one after the other, until `isThere` resolves. */
async function dieUntil(
  death: (run: number) => Death,
  isThere: (operator: LayerZeroOperator, signal: AbortSignal) => Promise<unknown>,
): Promise<string[]> {
  const lastWrites: string[] = [];
  for (let run = 0; run < maxRuns; run += 1) {
    const mortal = createMortalKube(kube, death(run));
    mortal.arm();
    const operator = await startLayerZeroOperator(mortal.kube, scene);
    const over = new AbortController();
    const reached = isThere(operator, over.signal).then(
      () => true,
      () => false,
    );
    await Promise.race([mortal.died, reached]);
    over.abort();
    await operator.stop();
    if (await reached) break;
    lastWrites.push(mortal.writes.at(-1) ?? '');
  }
  return lastWrites;
}

/** The first operators crash early. Each later one makes a few more writes and crashes before or after the next. */
const everyFewWrites = (run: number): Death =>
  run < 8
    ? { at: 1 + (run % 4), when: 'after' }
    : { at: 2 + (run % 3), when: run % 2 === 0 ? 'before' : 'after' };

test('operators that crash every few writes while wiring reach the same result and send nothing twice', async () => {
  const [calmName, roughName] = ['calm', 'rough'] as const;
  const before = await countTransactions();
  await createMesh(kube, scene, { name: calmName, members: ['a', 'b'] });
  const expected = await calm.reach(calmName, isOperational);
  const between = await countTransactions();
  await calm.stop({ keepCaches: true });
  await createMesh(kube, scene, { name: roughName, members: ['a', 'b'] });
  const lastWrites = await dieUntil(everyFewWrites, (operator, signal) =>
    operator.reach(roughName, isOperational, signal),
  );
  const after = await countTransactions();
  expect(lastWrites).toEqual(expect.arrayContaining(['patch Journal', 'replace Outbox', 'patch Network']));
  const sent = (from: number[], to: number[]) => to.map((count, index) => count - (from[index] ?? 0));
  expect(sent(between, after)).toEqual(sent(before, between));
  const network = await calm.reach(roughName, isOperational);
  expect(network.status?.execution?.currentStep).toBe(expected.status?.execution?.currentStep);
  for (const { name, url } of members) {
    const provider = new JsonRpcProvider(url);
    expect(await provider.getCode(endpointOn(network, name).endpoint)).not.toBe('0x');
    provider.destroy();
  }
  await begin();
});

test('operators that crash every few writes while relaying deliver each message once', async () => {
  const network = await calm.reach('first', isOperational);
  const places = members.map(({ name, url }) => ({ ...endpointOn(network, name), url }));
  const [a, b] = await deployOfts(scene.wallet, places);
  if (!a || !b) throw new Error('not deployed');
  await calm.stop({ keepCaches: true });
  const before = await supplyOf(b);
  for (const amount of [1n, 2n, 3n]) await sendOft(a, b, amount * 10n ** 18n);
  const expected = before + 6n * 10n ** 18n;
  const count = (await countTransactions())[1] ?? 0;
  await dieUntil(everyFewWrites, (_operator, signal) => awaitSupply(b, expected, signal));
  await begin();
  await awaitSupply(b, expected);
  // Two transactions for each message: verification, then execution.
  expect((await countTransactions())[1]).toBe(count + 6);
  await sendOft(b, a, 10n ** 18n);
  await awaitSupply(a, 10n ** 24n - 5n * 10n ** 18n);
  for (const oft of [a, b]) oft.close();
});
