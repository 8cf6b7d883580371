import { parseEther, Wallet } from 'ethers';
import { startTestApi, type TestApi } from '../../apiserver/testing/harness.ts';
import { defaultKeyName } from '../../core/api/names.ts';
import { idempotencyRecordType, replayType, secretType } from '../../core/api/resources/resources.ts';
import { countNonces } from '../../core/evm/chainState.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createMortalKube, type Death } from '../../core/kube/testing/mortalKube.ts';
import { type Clock, systemClock } from '../../core/lib/clock.ts';
import { sceneSealer } from '../../core/outbox/testing/scene.ts';
import { startOutboxOperator } from '../../operator/outbox/testing/operator.ts';
import { type ReplayScene, startReplayScene } from './testing/replayScene.ts';

/** Replicas of the API server that are killed during a replay, and one that continues it. */

const path = '/transaction/v1alpha1/transaction/recording/replay';
const long = '2020-01-01T00:00:00Z';

let world: ReplayScene;
let stopOperator: () => Promise<void>;
beforeAll(async () => {
  world = await startReplayScene();
  const { kube, scene } = world;
  stopOperator = await startOutboxOperator({ kube, scene, serviceNamespace: 'slipway' });
});
afterAll(async () => {
  await stopOperator();
  await world.stop();
});

async function startReplica(kube: Kube, clock: Clock = systemClock): Promise<TestApi> {
  const { user, upstreams } = world.scene;
  return startTestApi({ kube, clock, users: [user], upstreams, sealer: sceneSealer });
}

/** Nobody wakes up after the death, as in a killed process. */
function createMortalClock(died: Promise<void>): Clock {
  const dead = new AbortController();
  void died.then(() => dead.abort());
  return {
    ...systemClock,
    async sleep(delayMs, signal) {
      const signals = signal ? [signal, dead.signal] : [dead.signal];
      await systemClock.sleep(delayMs, AbortSignal.any(signals)).catch((error: unknown) => {
        if (!dead.signal.aborted) throw error;
        return new Promise<never>(() => undefined);
      });
    },
  };
}

/** What a killed replica holds expires after a minute. */
async function letGo(): Promise<void> {
  const { kube } = world;
  for (const type of [idempotencyRecordType, replayType] as const) {
    for (const object of (await kube.list(type as typeof replayType)).items) {
      if (object.spec.heldUntil === undefined) continue;
      await kube.replace(type as typeof replayType, { ...object, spec: { ...object.spec, heldUntil: long } });
    }
  }
}

const post = (api: TestApi, target: string, key: string) =>
  api.request(path, {
    body: { recordingId: world.recordingId, networkMapping: { [world.source.id]: target } },
    headers: { 'Idempotency-Key': key },
  });

/** Kills a replica at a write of a replay, and lets another one continue. Whether there was such a write. */
async function killAndContinue({ at, when }: Death): Promise<boolean> {
  const target = await world.addNetwork(`killed-${at}-${when}`);
  const key = `key-${at}-${when}`;
  const mortal = createMortalKube(world.kube, { at, when });
  const victim = await startReplica(mortal.kube, createMortalClock(mortal.died));
  const heir = await startReplica(world.kube);
  mortal.arm();
  const first = post(victim, target.id, key).catch(() => undefined);
  await Promise.race([first, mortal.died]);
  await letGo();
  const { status, json } = await post(heir, target.id, key);
  expect([status, json.success, json.totalTransactions]).toEqual([200, true, 4]);
  const hashes = json.transactions[target.id].map(({ hash }: { hash: string }) => hash);
  expect(new Set(hashes).size).toBe(4);
  expect(await world.countOn(target)).toBe(4);
  expect((await post(heir, target.id, key)).json).toEqual(json);
  await Promise.all([victim.close(), heir.close(), first]);
  return mortal.isDead();
}

it('a replica is killed before and after each of its writes: every transaction is sent once', async () => {
  for (let at = 1; ; at++) {
    const before = await killAndContinue({ at, when: 'before' });
    const after = await killAndContinue({ at, when: 'after' });
    if (!before && !after) return expect(at).toBeGreaterThan(6);
  }
});

/** Replaces the default key of the caller; resolves to what puts the former one back. */
async function replaceDefaultKey({ privateKey }: { privateKey: string }): Promise<() => Promise<unknown>> {
  const { items } = await world.kube.list(secretType);
  const before = items.find(({ metadata }) => metadata.name === defaultKeyName);
  if (!before) throw new Error('the caller has no default key');
  const { namespace, name } = before.metadata;
  const place = { namespace, name, owner: world.scene.user.userId };
  const data = sceneSealer.seal(Buffer.from(privateKey.slice(2), 'hex'), place);
  await world.kube.patch(secretType, before.metadata, { spec: { data } });
  return () => world.kube.patch(secretType, before.metadata, { spec: { data: before.spec.data } });
}

/** Kills a replica after a write; the caller replaces the default key, and repeats the request. Whether it was killed. */
async function killAndReplaceKey(at: number): Promise<boolean> {
  const target = await world.addNetwork(`replaced-${at}`);
  const other = Wallet.createRandom();
  const rpc = createEvmRpc({ url: target.url });
  await rpc.call('anvil_setBalance', [other.address, `0x${parseEther('100').toString(16)}`]);
  const mortal = createMortalKube(world.kube, { at, when: 'after' });
  const victim = await startReplica(mortal.kube, createMortalClock(mortal.died));
  mortal.arm();
  const first = post(victim, target.id, `replaced-${at}`).catch(() => undefined);
  await Promise.race([first, mortal.died]);
  await letGo();
  const restore = await replaceDefaultKey(other);
  const heir = await startReplica(world.kube);
  const { status, json } = await post(heir, target.id, `replaced-${at}`);
  await restore();
  expect([status, json.totalTransactions]).toEqual([200, 4]);
  const rows: { hash?: string; differences?: string[] }[] = json.transactions[target.id];
  const sent = rows.filter(({ hash }) => hash !== undefined).length;
  const counts = await Promise.all([world.countOn(target), countNonces(rpc, other.address, 'pending')]);
  expect([...counts].sort()).toEqual([0, sent]);
  const refusals = new Set(rows.slice(sent).flatMap(({ differences }) => differences ?? []));
  if (sent < 4) expect([...refusals]).toEqual([expect.stringContaining('your default key was replaced')]);
  await Promise.all([victim.close(), heir.close(), first]);
  return mortal.isDead();
}

it('a caller who replaces the default key after a replica was killed has no transaction sent again', async () => {
  for (let at = 1; await killAndReplaceKey(at); at++) expect(at).toBeLessThan(30);
});
