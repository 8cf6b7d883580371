import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import { idIndex, idOf, labelledId } from '../../core/api/ids.ts';
import { annotations, labels } from '../../core/api/names.ts';
import type { NamespacedObject, ResourceType } from '../../core/api/resources/kubeObject.ts';
import {
  networkType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
} from '../../core/api/resources/resources.ts';
import { aNetwork, aRecording, aSecret, aSnapshot, aToken } from '../../core/api/testing/builders.ts';
import { createReflector, type Reflector } from '../../core/kube/cache/reflector.ts';
import type { EventContent } from '../../core/kube/events/recorder.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { settle } from '../../core/kube/testing/settle.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { keyScopesOf } from '../../core/networks/keyScopes.ts';
import { features } from '../../test/features.ts';
import { createIdController, isIdentified } from './controller.ts';
import { createHolders, type Holders } from './holders.ts';

const id = '6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7';
const limit = { timeoutMs: 60_000 };
const keyring = aKeyring('the newer access key', 'the older access key');
const olderKeyring = aKeyring('the older access key');
const accessKeys = { public: { epoch: 2, observedNonce: 2 }, admin: { epoch: 0, observedNonce: 0 } };

let kube: FakeKube;
let caches: ReturnType<typeof createCaches>;
let holders: Holders;
let events: ({ name: string } & EventContent)[];
let stop: AbortController;
let running: Promise<void> | undefined;

type Kind = [kinds: string, type: ResourceType<NamespacedObject>, object: NamespacedObject];
const typed = (type: ResourceType) => type as ResourceType<NamespacedObject>;
const ofFeatures = features.flatMap(({ objects = {} }) => Object.values(objects));

function createCaches(): Record<string, Reflector<NamespacedObject>> {
  const cacheOf = <T extends NamespacedObject>(type: ResourceType<T>): Reflector<NamespacedObject> =>
    createReflector<T>({ kube, clock: systemClock, log: silentLog, type, indexes: idIndex });
  return {
    networks: cacheOf(networkType),
    secrets: cacheOf(secretType),
    tokens: cacheOf(tokenType),
    recordings: cacheOf(recordingType),
    snapshots: cacheOf(snapshotType),
    ...Object.fromEntries(ofFeatures.map(({ type }) => [type.plural, cacheOf(typed(type))])),
  };
}

beforeEach(async () => {
  kube = createFakeKube();
  caches = createCaches();
  holders = createHolders(caches);
  events = [];
  stop = new AbortController();
  for (const cache of Object.values(caches)) cache.start();
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced()));
});
afterEach(async () => {
  stop.abort();
  await running;
  await Promise.all(Object.values(caches).map((cache) => cache.stop()));
});

function start(access = keyring): void {
  const deps = {
    kube,
    caches,
    holders,
    accessKeys: access,
    events: {
      record: ({ metadata }: { metadata: { name: string } }, event: EventContent) =>
        void events.push({ name: metadata.name, ...event }),
    },
    clock: systemClock,
    log: silentLog,
  };
  running = createIdController(deps, { workers: 2 }).run(stop.signal);
}

const isDone = (object: { kind?: string; metadata: object }, access = keyring) =>
  isIdentified({ holders, accessKeys: access }, object);
const patches = () => kube.requests.filter(({ verb }) => verb === 'patch').map(({ name }) => name);

/** The object once it has the id that it keeps. */
async function identified(kinds: string, name: string): Promise<Stored<NamespacedObject>> {
  const fits = (object: Stored<NamespacedObject>) => object.metadata.name === name && isDone(object);
  const found = await caches[kinds]?.waitFor(fits, limit);
  if (!found) throw new Error(`${name} has no id of its own`);
  return found;
}

/** Stores an object, and waits until the cache has it. */
async function seed<T extends NamespacedObject>(type: ResourceType<T>, object: T): Promise<Stored<T>> {
  const { [labels.id]: _, ...others } = aSecret().metadata.labels ?? {};
  const { uid: __, ...metadata } = object.metadata;
  const own = { ...object, metadata: { ...metadata, labels: { ...others, ...metadata.labels } } };
  const stored = kube.seed(type, own);
  await settle();
  return stored;
}

const labelled = (value: string, more: object = {}) => ({ labels: { [labels.id]: value }, ...more });
const born = (creationTimestamp: string, more: object = {}) => labelled(id, { creationTimestamp, ...more });
const older = born('2026-01-01T00:00:00Z');
const younger = born('2026-02-01T00:00:00Z');

const kinds: Kind[] = [
  ['networks', networkType as ResourceType<NamespacedObject>, aNetwork({ name: 'one' })],
  ['secrets', secretType as ResourceType<NamespacedObject>, aSecret({ name: 'one' })],
  ['tokens', tokenType as ResourceType<NamespacedObject>, aToken({ name: 'one' })],
  ['recordings', recordingType as ResourceType<NamespacedObject>, aRecording({ name: 'one' })],
  ['snapshots', snapshotType as ResourceType<NamespacedObject>, aSnapshot({ name: 'one' })],
  ...ofFeatures.map((one): Kind => [one.type.plural, typed(one.type), one.make({ name: 'one' })]),
];

describe('an object that was made without an id', () => {
  it.each(kinds)('gets its uid as one, beside its other labels, among the %s', async (kind, type, object) => {
    const before = await seed(type, object);
    start();
    const after = await identified(kind, 'one');
    expect(after.metadata.labels).toEqual({ ...before.metadata.labels, [labels.id]: before.metadata.uid });
    expect(patches()).toEqual(['one']);
    expect(events).toEqual([]);
  });

  it.each(kinds)('gets it as soon as it is made, too, among the %s', async (kind, type, object) => {
    start();
    const { metadata } = await kube.create(type, object);
    expect(labelledId((await identified(kind, 'one')).metadata)).toBe(metadata.uid);
  });

  it('gets it in place of a label that is not an id', async () => {
    const { metadata } = await seed(secretType, aSecret({ name: 'one', metadata: labelled('mine') }));
    start();
    expect(labelledId((await identified('secrets', 'one')).metadata)).toBe(metadata.uid);
  });

  it('does not get the one of an object that had its name before', async () => {
    await seed(secretType, aSecret({ name: 'one' }));
    const remove = kube.intercept(async ({ verb }) => {
      if (verb !== 'patch') return;
      remove();
      await kube.delete(secretType, aSecret({ name: 'one' }).metadata);
      await kube.create(secretType, aSecret({ name: 'one' }));
    });
    start();
    const after = await identified('secrets', 'one');
    expect(labelledId(after.metadata)).toBe(after.metadata.uid);
  });

  it('gets none while it is being deleted', async () => {
    const deletionTimestamp = '2026-03-01T00:00:00Z';
    await seed(secretType, aSecret({ name: 'one', metadata: { labels: {}, deletionTimestamp } }));
    await seed(secretType, aSecret({ name: 'two' }));
    start();
    await identified('secrets', 'two');
    await settle();
    expect(patches()).toEqual(['two']);
  });
});

describe('an object with an id of its own', () => {
  it.each([
    ['in another workspace', secretType, aSecret({ name: 'two', namespace: 'another', metadata: younger })],
    ['of another kind', tokenType, aToken({ name: 'two', metadata: younger })],
  ] as const)('keeps it beside one of the same id %s', async (_where, type, other) => {
    await seed(secretType, aSecret({ name: 'one', metadata: older }));
    const beside = await seed<NamespacedObject>(type as ResourceType<NamespacedObject>, other);
    await seed(secretType, aSecret({ name: 'three' }));
    start();
    await identified('secrets', 'three');
    await settle();
    expect(patches()).toEqual(['three']);
    expect(isDone(beside)).toBe(true);
  });
});

describe('of two objects with one id', () => {
  it('the younger one gets its uid, and says why', async () => {
    await seed(secretType, aSecret({ name: 'a', metadata: younger }));
    await seed(secretType, aSecret({ name: 'b', metadata: older }));
    start();
    const own = await identified('secrets', 'a');
    expect(idOf(own)).toBe(own.metadata.uid);
    expect(idOf(await identified('secrets', 'b'))).toBe(id);
    await settle();
    expect(patches()).toEqual(['a']);
    expect(events).toEqual([
      { name: 'a', type: 'Warning', reason: 'IdTaken', message: expect.stringContaining(id) },
    ]);
  });

  it('of three, both younger ones get theirs', async () => {
    await seed(secretType, aSecret({ name: 'a', metadata: younger }));
    await seed(secretType, aSecret({ name: 'b', metadata: older }));
    await seed(secretType, aSecret({ name: 'c', metadata: younger }));
    start();
    for (const name of ['a', 'c']) {
      const own = await identified('secrets', name);
      expect(idOf(own)).toBe(own.metadata.uid);
    }
    expect(idOf(await identified('secrets', 'b'))).toBe(id);
    expect(events.map(({ name }) => name).sort()).toEqual(['a', 'c']);
  });

  it('the younger one keeps it while the older one is being deleted', async () => {
    const deletionTimestamp = '2026-03-01T00:00:00Z';
    await seed(secretType, aSecret({ name: 'a', metadata: { ...older, deletionTimestamp } }));
    await seed(secretType, aSecret({ name: 'b', metadata: younger }));
    await seed(secretType, aSecret({ name: 'c' }));
    start();
    await identified('secrets', 'c');
    await settle();
    expect(patches()).toEqual(['c']);
    expect(idOf(await identified('secrets', 'b'))).toBe(id);
    expect(events).toEqual([]);
  });

  it('the successor of one whose uid is the id keeps it while that one is being deleted', async () => {
    const deletionTimestamp = '2026-03-01T00:00:00Z';
    const { uid } = (await seed(secretType, aSecret({ name: 'a', metadata: { deletionTimestamp } })))
      .metadata;
    await seed(secretType, aSecret({ name: 'b', metadata: labelled(uid) }));
    await seed(secretType, aSecret({ name: 'c' }));
    start();
    await identified('secrets', 'c');
    await settle();
    expect(patches()).toEqual(['c']);
    expect(idOf(await identified('secrets', 'b'))).toBe(uid);
    expect(events).toEqual([]);
  });

  it('of one second, the one that was seen first keeps it, whatever their uids: it may have begun to work', async () => {
    const creationTimestamp = '2026-03-01T00:00:00Z';
    const made = (name: string, uid: string) =>
      aNetwork({ name, metadata: { ...labelled(id), creationTimestamp, uid } });
    start();
    kube.seed(networkType, made('first', 'ffffffff-0000-4000-8000-000000000000'));
    const first = await identified('networks', 'first');
    kube.seed(networkType, made('second', '00000000-0000-4000-8000-000000000001'));
    const second = await identified('networks', 'second');
    expect([idOf(first), idOf(second)]).toEqual([id, second.metadata.uid]);
    expect(isDone(first)).toBe(true);
    await settle();
    expect(patches()).toEqual(['second']);
  });

  it('one that was made a moment ago gets its uid before anybody works on it', async () => {
    await seed(networkType, aNetwork({ name: 'a', metadata: older }));
    start();
    const made = await kube.create(networkType, aNetwork({ name: 'b', metadata: labelled(id) }));
    expect(isDone(made)).toBe(false);
    expect(idOf(await identified('networks', 'b'))).toBe(made.metadata.uid);
  });
});

describe('an object whose label is the uid of another one', () => {
  it.each(kinds)('gets its own uid, and says why, among the %s', async (kind, type, object) => {
    const victim = await seed(type, { ...object, metadata: { ...object.metadata, ...labelled(id) } });
    start();
    await identified(kind, 'one');
    const copied = { ...object.metadata, name: 'two', ...labelled(victim.metadata.uid) };
    await seed(type, { ...object, metadata: copied });
    const two = await identified(kind, 'two');
    expect(idOf(two)).toBe(two.metadata.uid);
    expect(idOf(await identified(kind, 'one'))).toBe(id);
    expect(events).toEqual([expect.objectContaining({ name: 'two', reason: 'IdTaken' })]);
  });
});

describe('a network from before', () => {
  const sealIn = ({ metadata }: Stored<NamespacedObject>) => metadata.annotations?.[annotations.formerKeys];
  const network = (name: string) => kube.get(networkType, aNetwork({ name }).metadata);

  it('gets its uid as id and the seal of its keys in one write', async () => {
    const before = await seed(networkType, aNetwork({ name: 'old', status: { accessKeys } }));
    start();
    const { metadata } = await identified('networks', 'old');
    expect(metadata.labels?.[labels.id]).toBe(before.metadata.uid);
    expect(metadata.annotations?.[annotations.formerKeys]).toMatch(/^[\w-]{24}$/);
    await settle();
    expect(patches()).toEqual(['old']);
    const after = await network('old');
    expect(after && keyScopesOf(after, keyring)).toEqual([{ id: before.metadata.uid }]);
    expect(keyScopesOf(before, keyring)).toEqual([{ id: before.metadata.uid }]);
  });

  it('gets another seal once the installation has another key', async () => {
    await seed(networkType, aNetwork({ name: 'old', status: { accessKeys } }));
    start(olderKeyring);
    const fits = (one: Stored<NamespacedObject>) => isDone(one, olderKeyring);
    const former = await caches.networks?.waitFor(fits, limit);
    stop.abort();
    await running;
    expect(former && isDone(former)).toBe(false);
    stop = new AbortController();
    start();
    const renewed = await identified('networks', 'old');
    expect(former && sealIn(former)).toMatch(/^[\w-]{24}$/);
    expect(sealIn(renewed)).not.toBe(former && sealIn(former));
    expect(idOf(renewed)).toBe(renewed.metadata.uid);
  });

  it('is not copied with its keys: its copy loses the label, and with it what the seal is for', async () => {
    const { metadata } = await seed(networkType, aNetwork({ name: 'old', status: { accessKeys } }));
    start();
    const sealed = await identified('networks', 'old');
    const copied = { labels: sealed.metadata.labels ?? {}, annotations: sealed.metadata.annotations ?? {} };
    await kube.create(networkType, aNetwork({ name: 'copy', metadata: copied }));
    const own = await identified('networks', 'copy');
    const copy = await network('copy');
    expect(copy && keyScopesOf(copy, keyring)).toEqual([
      { id: own.metadata.uid, namespace: own.metadata.namespace },
    ]);
    expect(idOf(sealed)).toBe(metadata.uid);
  });

  it('is not one that has no access keys yet', async () => {
    await seed(networkType, aNetwork({ name: 'new', status: { state: 'Pending' } }));
    start();
    expect((await identified('networks', 'new')).metadata.annotations).toBeUndefined();
  });
});

describe('whether an object has the id that it keeps', () => {
  it.each([
    ['a Pod', { kind: 'Pod', metadata: {} }],
    ['an Outbox', { kind: 'Outbox', metadata: { labels: {} } }],
    ['a Workspace', { kind: 'Workspace', metadata: labelled('mine') }],
    ['an object without a kind', { metadata: {} }],
  ])('is true for %s, which needs none', (_what, object) => {
    expect(isDone(object)).toBe(true);
  });

  it.each(kinds)('is false without a label, and true with one, among the %s', (_kind, _type, object) => {
    expect(isDone(object)).toBe(false);
    expect(isDone({ ...object, metadata: { ...object.metadata, ...labelled(id) } })).toBe(true);
  });

  it('is false for the younger one of two, and for a network whose keys are not sealed', async () => {
    const [one, other] = [
      await seed(networkType, aNetwork({ name: 'a', metadata: older })),
      await seed(networkType, aNetwork({ name: 'b', metadata: younger })),
    ];
    const sealless = await seed(networkType, aNetwork({ name: 'c', status: { accessKeys } }));
    expect([one, other, sealless].map((network) => isDone(network))).toEqual([true, false, false]);
  });
});
