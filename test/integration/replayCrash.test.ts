import { jest } from '@jest/globals';
import { startTestApi, type TestApi } from '../../apiserver/testing/harness.ts';
import { idempotencyRecordType, replayType } from '../../core/api/resources/resources.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createMortalKube, type Death } from '../../core/kube/testing/mortalKube.ts';
import { type Clock, systemClock } from '../../core/lib/clock.ts';
import { sceneSealer } from '../../core/outbox/testing/scene.ts';
import { startOutboxOperator } from '../../operator/outbox/testing/operator.ts';
import { type ReplayScene, startReplayScene } from './testing/replayScene.ts';

/** Replicas of the API server that are killed during a replay, and one that continues it. */

jest.setTimeout(120_000);

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
