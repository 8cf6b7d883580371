import { annotations, labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { AccessKeysStatus, NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import {
  type KeyEpochsSpec,
  keyEpochsName,
  keyEpochsSpecSchema,
  maxKeyEpochs,
} from '../../core/api/resources/records/keyEpochs.ts';
import { keyEpochsType, networkType, secretType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { createReflector, type Reflector } from '../../core/kube/cache/reflector.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { AppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { accessEpochsOf } from '../../core/networks/accessEpochs.ts';
import { createNetworkCaches } from '../network/caches.ts';
import { createStopLimit } from '../network/lifecycle/stopLimit.ts';
import { writeStatus } from '../network/status/writeStatus.ts';
import { aKeySecret, startOperator } from '../network/testing/operator.ts';
import { createKeyEpochs, type KeyEpochs } from './keyEpochs.ts';

const id = '6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7';
const otherId = '1d8a6f1e-90c5-4c9b-8f0e-5b6d7c8e9f00';
const namespace = 'ws';
const place = { namespace, name: keyEpochsName };
const clock = createManualClock(Date.parse('2030-01-02T03:04:05Z'));
const at = '2030-01-02T03:04:05Z';
const keys = (publicEpoch: number, adminEpoch: number): AccessKeysStatus => ({
  public: { epoch: publicEpoch, observedNonce: publicEpoch },
  admin: { epoch: adminEpoch, observedNonce: adminEpoch },
});
const networkOf = (label: string, status: NetworkStatus = {}, inNamespace = namespace) =>
  asStored(
    aNetwork({ name: label, namespace: inNamespace, metadata: { labels: { [labels.id]: label } }, status }),
  );

let kube: FakeKube;
let networks: Reflector<NetworkResource>;
let kept: ReturnType<typeof createKeyEpochsCache>;
let epochs: KeyEpochs;
const createKeyEpochsCache = () => createReflector({ kube, clock, log: silentLog, type: keyEpochsType });

beforeEach(async () => {
  kube = createFakeKube({ clock });
  ({ networks } = createNetworkCaches({
    kube,
    clock,
    log: silentLog,
    kubeMetrics: { watchRestarts: () => undefined },
  }));
  await begin();
});
afterEach(() => end());

/** An operator that has just started. */
async function begin(): Promise<void> {
  kept = createKeyEpochsCache();
  kept.start();
  await kept.whenSynced();
  epochs = createKeyEpochs({ kube, caches: { keyEpochs: kept, networks } });
}

async function end(): Promise<void> {
  await kept.stop();
}

async function beginWith(spec: KeyEpochsSpec): Promise<void> {
  await end();
  kube.seed(keyEpochsType, { apiVersion: 'slipway.dev/v1alpha1', kind: 'KeyEpochs', metadata: place, spec });
  await begin();
}

const stored = async () => (await kube.get(keyEpochsType, place))?.spec;
const writes = () =>
  kube.requests
    .filter(({ verb }) => ['create', 'patch'].includes(verb))
    .map(({ verb, kind, subresource = '' }) => `${verb} ${kind} ${subresource}`.trim());

describe('a rotated epoch', () => {
  const network = networkOf(id, { state: 'Operational', accessKeys: keys(0, 0) });
  const write = () => {
    const status = { ...network.status, accessKeys: keys(1, 0) };
    const deps = { kube, caches: { networks }, events: { record: () => undefined } };
    return writeStatus(
      { ...deps, stopLimit: createStopLimit(1), keyEpochs: epochs },
      { network, status, nowMs: clock.nowMs() },
    );
  };
  const storedKeys = async () => (await kube.get(networkType, network.metadata))?.status?.accessKeys;
  beforeEach(() => void kube.seed(networkType, network));

  it('is kept before the status of its network says it', async () => {
    await write();
    expect(writes()).toEqual([
      'patch KeyEpochs',
      'create KeyEpochs',
      'patch KeyEpochs',
      'patch Network status',
    ]);
    expect(await stored()).toEqual({ networks: { [id]: { ...keys(1, 0), at } } });
    expect(await storedKeys()).toEqual(keys(1, 0));
  });

  it('is not in the status if it cannot be kept', async () => {
    kube.failNext({ verb: 'patch', kind: 'KeyEpochs', error: new AppError('Unavailable', 'no etcd') });
    await expect(write()).rejects.toThrow('no etcd');
    expect(await storedKeys()).toEqual(keys(0, 0));
    await write();
    expect(await storedKeys()).toEqual(keys(1, 0));
  });

  it('is kept by who repeats a write whose answer was lost', async () => {
    kube.failNext({
      verb: 'create',
      kind: 'KeyEpochs',
      when: 'after',
      error: new AppError('Unavailable', 'lost'),
    });
    await expect(write()).rejects.toThrow('lost');
    await write();
    expect(await stored()).toEqual({ networks: { [id]: { ...keys(1, 0), at } } });
  });
});

describe('what is kept of keys', () => {
  it('is nothing of the first ones', async () => {
    await epochs.keep(networkOf(id), keys(0, 0));
    await epochs.keep(networkOf(id), undefined);
    expect(writes()).toEqual([]);
  });

  it('is written once, and beside what is kept of other networks', async () => {
    for (let time = 0; time < 3; time += 1) await epochs.keep(networkOf(id), keys(1, 0));
    expect(writes()).toEqual(['patch KeyEpochs', 'create KeyEpochs', 'patch KeyEpochs']);
    await epochs.keep(networkOf(otherId), keys(0, 4));
    await epochs.keep(networkOf(id), keys(2, 0));
    expect(await stored()).toEqual({
      networks: { [id]: { ...keys(2, 0), at }, [otherId]: { ...keys(0, 4), at } },
    });
    expect(keyEpochsSpecSchema.parse(await stored())).toEqual(await stored());
  });

  it('is in the workspace of the network', async () => {
    await epochs.keep(networkOf(id, {}, 'another'), keys(1, 0));
    expect(await stored()).toBeUndefined();
    expect(epochs.keptFor(networkOf(id))).toBeUndefined();
    expect(epochs.keptFor(networkOf(id, {}, 'another'))).toEqual(keys(1, 0));
  });
});

describe('a network begins', () => {
  const known = { [id]: { ...keys(2, 5), at } };

  it.each<[string, KeyEpochsSpec, string, AccessKeysStatus | undefined]>([
    ['with the kept keys if its id had some', { networks: known }, id, keys(2, 5)],
    ['with them even if the floor is higher', { networks: known, floor: 9 }, id, keys(2, 5)],
    ['with the first ones if its id is new', { networks: known }, otherId, undefined],
    [
      'with the floor if its id has no entry: it may have had one',
      { networks: known, floor: 3 },
      otherId,
      { public: { epoch: 3, observedNonce: 0 }, admin: { epoch: 3, observedNonce: 0 } },
    ],
  ])('%s', async (_case, spec, label, expected) => {
    await beginWith(spec);
    expect(epochs.keptFor(networkOf(label))).toEqual(expected);
    expect(epochs.keptFor(networkOf(label, { state: 'Pending' }))).toEqual(expected);
  });

  it('and one that has begun without any rotation has nothing of the floor', async () => {
    await beginWith({ networks: {}, floor: 3 });
    expect(epochs.keptFor(networkOf(id, { accessKeys: keys(0, 0) }))).toBeUndefined();
  });

  it('an older status, as a restore may bring it, takes nothing back that is kept', async () => {
    await epochs.keep(networkOf(id), keys(4, 2));
    await epochs.keep(networkOf(id), keys(1, 2));
    expect(epochs.keptFor(networkOf(id, { accessKeys: keys(1, 2) }))).toEqual(keys(4, 2));
  });

  it('one at the floor needs no entry of its own', async () => {
    await beginWith({ networks: {}, floor: 3 });
    const before = kube.requests.length;
    await epochs.keep(networkOf(id), keys(3, 3));
    expect(kube.requests).toHaveLength(before);
  });

  it('with what was kept by the operator before, and by this one a moment ago', async () => {
    await epochs.keep(networkOf(id), keys(1, 0));
    expect(epochs.keptFor(networkOf(id))).toEqual(keys(1, 0));
    await end();
    await begin();
    expect(epochs.keptFor(networkOf(id))).toEqual(keys(1, 0));
  });
});

describe('when a workspace has as many entries as are kept', () => {
  const idAt = (index: number) => `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const timeAt = (index: number) => new Date(Date.parse('2029-01-01T00:00:00Z') + index * 1000).toISOString();
  /** The lower its number, the older an entry is; its epochs are up to its number. */
  const full = (count = maxKeyEpochs) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [idAt(index), { ...keys(index, 1), at: timeAt(index) }]),
    );
  const present = (...indexes: number[]) => {
    for (const index of indexes) networks.observe(networkOf(idAt(index)));
  };
  const keptIds = async () => new Set(Object.keys((await stored())?.networks ?? {}));

  it('the oldest of networks that are gone make room, and raise the floor', async () => {
    present(0, 3);
    await beginWith({ networks: full() });
    await epochs.keep(networkOf(id), keys(1, 0));
    const left = await keptIds();
    expect(left.size).toBe(maxKeyEpochs - 100 + 1);
    expect([0, 3, 102, maxKeyEpochs - 1].map((index) => left.has(idAt(index)))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([1, 2, 4, 101].map((index) => left.has(idAt(index)))).toEqual([false, false, false, false]);
    expect((await stored())?.floor).toBe(101);
    expect(epochs.keptFor(networkOf(idAt(50)))?.public.epoch).toBe(101);
    expect(epochs.keptFor(networkOf(id))).toEqual(keys(1, 0));
  });

  it('the floor is never lowered', async () => {
    await beginWith({ networks: full(), floor: 5000 });
    await epochs.keep(networkOf(id), keys(1, 0));
    expect((await stored())?.floor).toBe(5000);
    await epochs.keep(networkOf(otherId), keys(1, 0));
    expect((await stored())?.floor).toBe(5000);
  });

  it('nothing of networks that are there makes room', async () => {
    present(...Array.from({ length: maxKeyEpochs }, (_, index) => index));
    await beginWith({ networks: full() });
    await epochs.keep(networkOf(id), keys(1, 0));
    expect((await keptIds()).size).toBe(maxKeyEpochs + 1);
    expect(await stored()).not.toHaveProperty('floor');
  });

  it('one less needs no room', async () => {
    await beginWith({ networks: full(maxKeyEpochs - 1) });
    await epochs.keep(networkOf(id), keys(1, 0));
    expect((await keptIds()).size).toBe(maxKeyEpochs);
    expect(await stored()).not.toHaveProperty('floor');
  });
});

it('a network that is applied again with its id is opened by its last keys, and by no former one', async () => {
  await kube.create(secretType, aKeySecret(namespace));
  const operator = startOperator({ kube, namespace, deps: { keyEpochs: epochs } });
  const apply = () =>
    kube.create(networkType, {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Network',
      metadata: { name: 'net', namespace, labels: { [labels.id]: id } },
      spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, chainID: '777' } } },
    });
  const { metadata } = await apply();
  await operator.reach('net', ({ status }) => status?.accessKeys !== undefined);
  await kube.patch(networkType, metadata, { spec: { accessKeyRotation: { adminNonce: 1 } } });
  await operator.reach('net', ({ status }) => status?.accessKeys?.admin.epoch === 1);
  await kube.delete(networkType, metadata);
  const { metadata: next } = await apply();
  const again = await operator.reach(
    'net',
    (one) => one.metadata.uid === next.uid && one.status?.accessKeys !== undefined,
  );
  expect(accessEpochsOf(again)).toEqual({ public: 0, admin: 1 });
  await operator.stop();
});

describe('in a namespace that was created for a workspace', () => {
  const first = 1_900_000_000_000;
  const annotated = (epoch: number) =>
    kube.seed(namespaceType, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, annotations: { [annotations.firstKeyEpoch]: String(epoch) } },
    });
  const keptNow = async (network: ReturnType<typeof networkOf>) => {
    await epochs.prepare(network);
    return epochs.keptFor(network);
  };
  const begun = (epoch: number) => {
    const key = { epoch, observedNonce: 0 };
    return { public: key, admin: key };
  };

  it('a network begins beyond all keys of a namespace that had the name', async () => {
    annotated(first);
    expect(await keptNow(networkOf(id))).toEqual(begun(first));
    await kube.delete(namespaceType, { name: namespace });
    annotated(first + 1);
    expect(await keptNow(networkOf(id))).toEqual(begun(first + 1));
  });

  it('only what was rotated since is written down, also by an operator that has just started', async () => {
    annotated(first);
    await epochs.keep(networkOf(id), begun(first));
    expect(writes()).toEqual([]);
    await epochs.keep(networkOf(id), keys(first + 1, first));
    expect(Object.keys((await stored())?.networks ?? {})).toEqual([id]);
  });

  it('a network that has its keys keeps them', async () => {
    annotated(first);
    expect(await keptNow(networkOf(id, { accessKeys: keys(0, 0) }))).toBeUndefined();
  });

  it.each(['', 'soon', '-1'])('what is not an epoch counts for nothing: "%s"', async (text) => {
    const marks = { [annotations.firstKeyEpoch]: text };
    kube.seed(namespaceType, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, annotations: marks },
    });
    expect(await keptNow(networkOf(id))).toBeUndefined();
  });
});
