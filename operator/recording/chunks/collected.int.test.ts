import { type ChildProcess, spawn } from 'node:child_process';
import type { RecordingResource } from '../../../core/api/resources/recordingResource.ts';
import { recordingChunkType, recordingType } from '../../../core/api/resources/resources.ts';
import { aRecording } from '../../../core/api/testing/builders.ts';
import { createKube, type KubeClient } from '../../../core/kube/client/client.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { namespaceType } from '../../../core/kube/types.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { parseLine } from '../../../core/recordings/recordedLines.ts';
import { waitUntil } from '../../../hack/lib/wait.ts';
import { startTestEnvironment, type TestEnvironment } from '../../../hack/testenv/environment.ts';
import { crdFiles } from '../../../hack/testenv/globalSetup.ts';
import { ensureTools } from '../../../hack/tools/ensure.ts';
import { captureOf } from '../testing/lines.ts';
import { captured } from '../testing/operator.ts';
import { openChunkStore } from './store.ts';

/** Kubernetes' garbage collector, which deletes what nobody owns, on a cluster of its own. */

const namespace = 'collected';
let environment: TestEnvironment;
let collector: ChildProcess;
let kube: KubeClient;
beforeAll(async () => {
  environment = await startTestEnvironment({ crdFiles: crdFiles() });
  const { kubeconfig } = environment;
  const tools = await ensureTools(['kube-controller-manager']);
  collector = spawn(
    tools['kube-controller-manager'],
    [
      ...[`--kubeconfig=${kubeconfig}`, '--controllers=garbage-collector-controller'],
      ...['--leader-elect=false', '--secure-port=0'],
    ],
    { stdio: 'ignore' },
  );
  kube = createKube({ kubeconfigPath: kubeconfig, log: silentLog, clock: systemClock });
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
});
afterAll(async () => {
  collector?.kill('SIGKILL');
  await kube?.close();
  await environment?.stop();
});

async function record(name: string, { lines, refs }: ReturnType<typeof captureOf>) {
  const { uid: _, creationTimestamp: __, ...metadata } = aRecording({ name, namespace }).metadata;
  const object = { ...aRecording({ name, namespace, spec: { networks: ['net'] } }), metadata };
  const recording = await kube.create(recordingType, object);
  const store = await openChunkStore(kube, { recording, network: 'net', networkID: 'id' }, 0);
  await store.append(lines, refs.at(-1) ?? { number: 0, hash: '' });
  return { recording, store };
}

const chunks = async () => (await kube.list(recordingChunkType, { namespace })).items;
const owners = async () =>
  (await chunks())
    .filter(({ spec }) => spec.recording === undefined && spec.index === 0)
    .map(({ metadata }) => metadata.ownerReferences?.length);
const remove = ({ metadata }: Stored<RecordingResource>) =>
  kube.delete(recordingType, metadata, { propagationPolicy: 'Background' });

it('a copy stays until the last recording that has it is deleted, and then nothing is left', async () => {
  const all = captureOf({ blocks: 2, bytes: 500_000 });
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
  const recorded = await Promise.all(names.map((name) => record(name, all)));
  expect(await owners()).toEqual([7, 7]);
  const last = recorded.pop();
  if (!last) throw new Error('nothing was recorded');
  for (const { recording } of recorded) await remove(recording);
  const isAlone = async () => (await owners()).every((count) => count === 1);
  await waitUntil(isAlone, 60_000, 'the others are owners still');
  const hashes = (await captured(kube, last.recording)).map(({ hash }) => hash);
  expect(hashes).toEqual(all.lines.map((line) => parseLine(line).transaction.hash));
  await last.store.stepBack(async (blocks) => blocks.map(({ number }) => number === 1));
  const isHalf = async () => (await owners()).length === 1;
  await waitUntil(isHalf, 60_000, 'what was taken back is there still');
  await remove(last.recording);
  const isEmpty = async () => (await chunks()).length === 0;
  await waitUntil(isEmpty, 60_000, 'chunks are left');
});
