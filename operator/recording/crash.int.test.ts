import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { recordingType } from '../../core/api/resources/resources.ts';
import { aRecording } from '../../core/api/testing/builders.ts';
import { evmDrivers } from '../../core/chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../../core/chains/evm/testing/testChain.ts';
import { createMortalKube } from '../../core/kube/testing/mortalKube.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import {
  captured,
  createRunningNetwork,
  headOf,
  publishedAt,
  startRecordingOperator,
} from './testing/operator.ts';

const kube = createTestKube();
const namespace = `crash-${randomBytes(4).toString('hex')}`;
const stranger = `0x${'9'.repeat(40)}`;
const urls = new Map<string, string>();
const options = { namespace, urls };
/** A node that never answers. */
const silent = createServer(() => undefined);
let chain: TestChain;
beforeAll(async () => {
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
  urls.set('net', chain.url);
  await createRunningNetwork(kube, { name: 'net', namespace }, await publishedAt(chain.url));
});
afterAll(async () => {
  silent.closeAllConnections();
  silent.close();
  await chain.stop();
  await kube.close();
});

async function create(name: string, networks: string[]): Promise<void> {
  const start = networks.includes('net') ? [await headOf(kube, { name: 'net', namespace }, chain.url)] : [];
  const spec = { userAddress: chain.wallet.address, networks, start };
  const { uid: _, creationTimestamp: __, ...metadata } = aRecording({ name, namespace }).metadata;
  await kube.create(recordingType, { ...aRecording({ name, namespace, spec }), metadata });
}

const hasBegun = ({ status }: RecordingResource) => status?.networks?.[0]?.state === 'recording';
const pay = async () => (await chain.send({ to: stranger, value: 1n })).hash;

it.each([1, 2, 3, 4, 5].flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when }))))(
  'an operator that dies $when its write $at leaves a recording that the next one completes',
  async ({ at, when }) => {
    const name = `dies-${when}-${at}`;
    const mortal = createMortalKube(kube, { at, when });
    const first = await startRecordingOperator(mortal.kube, options);
    await create(name, ['net']);
    await first.reach(name, hasBegun);
    mortal.arm();
    const hashes: string[] = [];
    while (!mortal.isDead()) {
      hashes.push(await pay());
      // At most one write per second: lines that arrive in between go with the next one.
      await Promise.race([mortal.died, systemClock.sleep(300)]);
    }
    await first.stop();
    hashes.push(await pay());
    const second = await startRecordingOperator(kube, options);
    hashes.push(await pay());
    await kube.patch(recordingType, { namespace, name }, { spec: { stopped: true } });
    const recorded = await second.reach(name, ({ status }) => status?.state === 'recorded');
    expect((await captured(kube, recorded)).map(({ hash }) => hash)).toEqual(hashes);
    expect(recorded.status?.transactions).toBe(hashes.length);
    await second.stop();
  },
);

it('forty networks whose nodes never answer slow down no other, and do not keep their recording from ending', async () => {
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const names = Array.from({ length: 40 }, (_, index) => `silent-${index}`);
  for (const name of names) {
    urls.set(name, url);
    await createRunningNetwork(kube, { name, namespace });
  }
  const operator = await startRecordingOperator(kube, options);
  await create('all-silent', names);
  await create('lively', ['net']);
  await operator.reach('lively', hasBegun);
  const hashes = [await pay(), await pay()];
  await kube.patch(recordingType, { namespace, name: 'lively' }, { spec: { stopped: true } });
  const recorded = await operator.reach('lively', ({ status }) => status?.state === 'recorded');
  expect((await captured(kube, recorded)).map(({ hash }) => hash)).toEqual(hashes);
  await kube.patch(recordingType, { namespace, name: 'all-silent' }, { spec: { stopped: true } });
  const given = await operator.reach('all-silent', ({ status }) => status?.state === 'recorded');
  expect(given.status?.networks?.[0]?.message).toContain('did not answer');
  await operator.stop();
});
