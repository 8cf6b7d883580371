import { randomBytes } from 'node:crypto';
import { snapshotType } from '../../core/api/resources/resources.ts';
import { createMortalKube } from '../../core/kube/testing/mortalKube.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { partBytes } from './parts.ts';
import {
  aDump,
  createNetwork,
  createSnapshot,
  isIn,
  partsOf,
  startSnapshotOperator,
  storedBytes,
} from './testing/operator.ts';

const kube = createTestKube();
const namespace = `crash-${randomBytes(4).toString('hex')}`;
beforeAll(async () => {
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await createNetwork(kube, { namespace, name: 'net' });
});
afterAll(() => kube.close());

/** Three parts and the status. */
const writes = [1, 2, 3, 4];

it.each(writes.flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when }))))(
  'an operator that dies $when its write $at leaves no half snapshot that says Ready; the next one takes it',
  async ({ at, when }) => {
    const name = `dies-${when}-${at}`;
    // Each attempt finds another chain: the chain goes on meanwhile.
    const dumps: Buffer[] = [];
    const dumpOf = () => {
      const dump = aDump(2 * partBytes + 1000, dumps.length);
      dumps.push(dump);
      return dump;
    };
    const mortal = createMortalKube(kube, { at, when });
    mortal.arm();
    const first = await startSnapshotOperator({ kube: mortal.kube, namespace, dumpOf });
    await createSnapshot(kube, { namespace, name }, 'net');
    await mortal.died;
    await first.stop();
    const left = await kube.get(snapshotType, { namespace, name });
    const isReady = left !== undefined && isIn('Ready')(left);
    if (isReady) expect((await storedBytes(kube, left)).equals(dumps[0] ?? Buffer.of())).toBe(true);
    expect(isReady).toBe(at === writes.length && when === 'after');

    const second = await startSnapshotOperator({ kube, namespace, dumpOf });
    const ready = await second.reach(name, isIn('Ready'));
    await second.stop();
    expect((await storedBytes(kube, ready)).equals(dumps.at(-1) ?? Buffer.of())).toBe(true);
    expect(await partsOf(kube, ready)).toHaveLength(3);
  },
);
