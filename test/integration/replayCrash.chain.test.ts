import { parseEther, Wallet } from 'ethers';
import { startTestApi, type TestApi } from '../../apiserver/testing/harness.ts';
import { defaultKeyName } from '../../core/api/names.ts';
import type { ReplayResource } from '../../core/api/resources/replayResource.ts';
import { idempotencyRecordType, replayType, secretType } from '../../core/api/resources/resources.ts';
import { countNonces } from '../../core/evm/chainState.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { createMortalKube, type Death } from '../../core/kube/testing/mortalKube.ts';
import { type Clock, systemClock } from '../../core/lib/clock.ts';
import { type SceneNetwork, sceneSealer } from '../../core/outbox/testing/scene.ts';
import { startOutboxOperator } from '../../operator/outbox/testing/operator.ts';
import { startReplayOperator } from '../../operator/replay/testing/operator.ts';
import { type ReplayScene, startReplayScene } from './testing/replayScene.ts';

/** Operators and replicas of the API server that are killed during a replay, and those that continue it. */

const path = '/transaction/v1alpha1/transaction/recording/replay';
const long = '2020-01-01T00:00:00Z';

let world: ReplayScene;
let stopOperator: () => Promise<void>;
beforeAll(async () => {
  world = await startReplayScene({ hasReplays: false });
  const { kube, scene } = world;
  stopOperator = await startOutboxOperator({ kube, scene, serviceNamespace: 'slipway' });
});
afterAll(async () => {
  await stopOperator();
  await world.stop();
});

async function startReplica(kube: Kube): Promise<TestApi> {
  const { user, upstreams } = world.scene;
  return startTestApi({ kube, users: [user], upstreams, sealer: sceneSealer });
}

const startOperator = (kube: Kube, clock: Clock = systemClock) =>
  startReplayOperator({ kube, clock, scene: world.scene });

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

/** What a killed process holds expires after a minute. */
async function letGo(type: typeof idempotencyRecordType | typeof replayType): Promise<void> {
  const { kube } = world;
  for (const object of (await kube.list(type as typeof replayType)).items) {
    if (object.spec.heldUntil === undefined) continue;
    await kube.replace(type as typeof replayType, { ...object, spec: { ...object.spec, heldUntil: long } });
  }
}

const post = (api: TestApi, target: string, key: string) =>
  api.request(path, {
    body: { recordingId: world.recordingId, networkMapping: { [world.source.id]: target } },
    headers: { 'Idempotency-Key': key },
  });

type Outcome = Awaited<ReturnType<typeof post>>;

async function expectWhole({ status, json }: Outcome, target: SceneNetwork): Promise<void> {
  expect([status, json.success, json.totalTransactions]).toEqual([200, true, 4]);
  const hashes = json.transactions[target.id].map(({ hash }: { hash: string }) => hash);
  expect(new Set(hashes).size).toBe(4);
  expect(await world.countOn(target)).toBe(4);
}

/** Kills the operator at a write of a replay, and lets another one continue. Whether there was such a write. */
async function killOperator({ at, when }: Death): Promise<boolean> {
  const target = await world.addNetwork(`operator-${at}-${when}`);
  const key = `operator-${at}-${when}`;
  const mortal = createMortalKube(world.kube, { at, when });
  const stopVictim = await startOperator(mortal.kube, createMortalClock(mortal.died));
  mortal.arm();
  const answer = post(world.api, target.id, key);
  await Promise.race([answer, mortal.died]);
  await letGo(replayType);
  const stopHeir = await startOperator(world.kube);
  const outcome = await answer;
  await expectWhole(outcome, target);
  expect((await post(world.api, target.id, key)).json).toEqual(outcome.json);
  await stopHeir();
  // What it was doing never ends.
  void stopVictim();
  return mortal.isDead();
}

it('an operator is killed before and after each of its writes: every transaction is sent once', async () => {
  for (let at = 1; ; at++) {
    const before = await killOperator({ at, when: 'before' });
    const after = await killOperator({ at, when: 'after' });
    if (!before && !after) return expect(at).toBeGreaterThan(6);
  }
});

/** Kills a replica of the API server at a write of a replay, and repeats the request at another one. */
async function killReplica({ at, when }: Death): Promise<boolean> {
  const target = await world.addNetwork(`replica-${at}-${when}`);
  const key = `replica-${at}-${when}`;
  const mortal = createMortalKube(world.kube, { at, when });
  const victim = await startReplica(mortal.kube);
  mortal.arm();
  const first = post(victim, target.id, key).catch(() => undefined);
  await Promise.race([first, mortal.died]);
  await letGo(idempotencyRecordType);
  const outcome = await post(world.api, target.id, key);
  await expectWhole(outcome, target);
  expect((await post(world.api, target.id, key)).json).toEqual(outcome.json);
  await Promise.all([victim.close(), first]);
  return mortal.isDead();
}

it('a replica is killed before and after each of its writes: every transaction is sent once', async () => {
  const stop = await startOperator(world.kube);
  for (let at = 1; ; at++) {
    const before = await killReplica({ at, when: 'before' });
    const after = await killReplica({ at, when: 'after' });
    if (before || after) continue;
    expect(at).toBeGreaterThan(2);
    return stop();
  }
});

it('an operator that is stopped leaves what is under way to the next one, which needs to wait for nothing', async () => {
  const target = await world.addNetwork('handed-over');
  const rpc = createEvmRpc({ url: target.url });
  await rpc.call('evm_setAutomine', [false]);
  const stopFirst = await startOperator(world.kube);
  const answer = post(world.api, target.id, 'handed-over');
  await world.accepted(target, 1);
  await stopFirst();
  const stopNext = await startOperator(world.kube);
  await rpc.call('evm_setAutomine', [true]);
  await rpc.call('evm_mine', []);
  await expectWhole(await answer, target);
  await stopNext();
});

it('a replay that failed says why, and is continued when the request is repeated with its Idempotency-Key', async () => {
  const target = await world.addNetwork('failed');
  const answer = post(world.api, target.id, 'failed');
  const run = await ordered(target);
  const failure = { reason: 'Conflict' as const, message: 'the recording is away' };
  await world.kube.replace(replayType, { ...run, spec: { ...run.spec, failure } });
  expect(await answer).toMatchObject({ status: 409, json: { message: 'the recording is away' } });
  const stop = await startOperator(world.kube);
  await expectWhole(await post(world.api, target.id, 'failed'), target);
  await stop();
});

it('what another process works on is left to it', async () => {
  const target = await world.addNetwork('held');
  const answer = post(world.api, target.id, 'held');
  const run = await ordered(target);
  const spec = { ...run.spec, holder: 'another', heldUntil: '2100-01-01T00:00:00Z' };
  const held = await world.kube.replace(replayType, { ...run, spec });
  const stop = await startOperator(world.kube);
  await world.kube.replace(replayType, { ...held, spec: { ...spec, finished: true } });
  expect(await answer).toMatchObject({ status: 200, json: { totalTransactions: 0 } });
  expect(await world.countOn(target)).toBe(0);
  await stop();
});

/** The run that a request has ordered on a network. */
async function ordered({ id }: SceneNetwork): Promise<Stored<ReplayResource>> {
  for (;;) {
    const { items } = await world.kube.list(replayType);
    const run = items.find(({ spec }) => spec.order?.networks[0]?.target === id);
    if (run) return run;
    await systemClock.sleep(20);
  }
}

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

/** Kills the operator after a write; the caller replaces the default key, and another operator continues. Whether it was killed. */
async function killAndReplaceKey(at: number): Promise<boolean> {
  const target = await world.addNetwork(`replaced-${at}`);
  const other = Wallet.createRandom();
  const rpc = createEvmRpc({ url: target.url });
  await rpc.call('anvil_setBalance', [other.address, `0x${parseEther('100').toString(16)}`]);
  const mortal = createMortalKube(world.kube, { at, when: 'after' });
  const stopVictim = await startOperator(mortal.kube, createMortalClock(mortal.died));
  mortal.arm();
  const answer = post(world.api, target.id, `replaced-${at}`);
  await Promise.race([answer, mortal.died]);
  await letGo(replayType);
  const restore = await replaceDefaultKey(other);
  const stopHeir = await startOperator(world.kube);
  const { status, json } = await answer;
  await restore();
  // Nothing was begun.
  const hasFailed = status === 409;
  if (hasFailed) expect(json.message).toContain('your default key was replaced');
  else expect([status, json.totalTransactions]).toEqual([200, 4]);
  const rows: { hash?: string; differences?: string[] }[] = hasFailed ? [] : json.transactions[target.id];
  const sent = rows.filter(({ hash }) => hash !== undefined).length;
  const counts = await Promise.all([world.countOn(target), countNonces(rpc, other.address, 'pending')]);
  // The new key sends nothing.
  expect(counts).toEqual([sent, 0]);
  const refusals = new Set(rows.slice(sent).flatMap(({ differences }) => differences ?? []));
  if (sent < 4 && !hasFailed)
    expect([...refusals]).toEqual([expect.stringContaining('your default key was replaced')]);
  await stopHeir();
  void stopVictim();
  return mortal.isDead();
}

it('a caller who replaces the default key after an operator was killed has no transaction sent again', async () => {
  for (let at = 1; await killAndReplaceKey(at); at++) expect(at).toBeLessThan(30);
});
