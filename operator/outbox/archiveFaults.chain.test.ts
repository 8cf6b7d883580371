import { labels } from '../../core/api/names.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import { createMortalKube } from '../../core/kube/testing/mortalKube.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { findSubmitted } from '../../core/outbox/findSubmitted.ts';
import {
  accept,
  archived,
  clock,
  countOf,
  isEmpty,
  kube,
  lookUntil,
  network,
  scene,
  startOperator,
  transfer,
  useQueueScene,
} from './testing/queueScene.ts';

useQueueScene();

const idempotencyKey = 'deploy token';
const ofRole = async (role: string) =>
  (await kube.list(outboxType, { labelSelector: `${labels.role}=${role}` })).items;
/** A batch in parts, one without an idempotency key, and one with. */
const acceptAll = async () => [
  ...(await accept(Array.from({ length: 300 }, (_, index) => transfer({ value: String(index) })))),
  ...(await accept([transfer()])),
  ...(await accept([transfer()], network, { idempotencyKey })),
];
const deaths = [1, 2, 3, 4].flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when })));

test.each(deaths)('an operator that dies $when its write $at loses and repeats nothing', async (death) => {
  const hashes = await acceptAll();
  const mortal = createMortalKube(kube, death);
  await startOperator(mortal.kube);
  mortal.arm();
  await lookUntil(() => mortal.isDead());
  await startOperator();
  await lookUntil(isEmpty);
  const results = await archived();
  expect(hashes.map((hash) => results[hash]?.state)).toEqual(hashes.map(() => 'mined'));
  expect(await countOf()).toBe(hashes.length);
  const ids = (await ofRole('archive')).flatMap((object) => batchesOf(object).map(({ id }) => id));
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
  const { namespace } = scene.user;
  const found = await findSubmitted(kube, { namespace, id: network.id }, idempotencyKey);
  expect(found).toMatchObject({ hashes: hashes.slice(-1), results: [{ state: 'mined' }] });
  clock.advance(2 * 3_600_000);
  await lookUntil(() => true);
  expect(await ofRole('bytes')).toEqual([]);
});

test('an idempotency key is known for a day, however much was archived since', async () => {
  await accept([transfer()], network, { idempotencyKey });
  await lookUntil(isEmpty);
  const { namespace } = scene.user;
  const find = () => findSubmitted(kube, { namespace, id: network.id }, idempotencyKey);
  clock.advance(23 * 3_600_000);
  await lookUntil(() => true);
  expect(await find()).toBeDefined();
  clock.advance(2 * 3_600_000);
  await lookUntil(() => true);
  expect(await find()).toBeUndefined();
});

test('old archives are deleted while the sender queue is busy', async () => {
  await accept([transfer()]);
  await lookUntil(isEmpty);
  const [hash] = Object.keys(await archived());
  clock.advance(25 * 3_600_000);
  await accept([transfer({ value: `${10n ** 30n}` })]);
  await lookUntil(({ status }) => status?.message !== undefined);
  expect(Object.keys(await archived())).not.toContain(hash);
});
