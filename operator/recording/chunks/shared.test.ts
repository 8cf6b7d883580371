import { apiVersion } from '../../../core/api/names.ts';
import { controllerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import { maxChunkData } from '../../../core/api/resources/recordingChunk.ts';
import type { RecordingResource } from '../../../core/api/resources/recordingResource.ts';
import { recordingChunkType, recordingType } from '../../../core/api/resources/resources.ts';
import { aRecording } from '../../../core/api/testing/builders.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { packLines } from '../../../core/lib/json/packedLines.ts';
import { chunkNameOf } from '../../../core/recordings/chunks.ts';
import { parseLine } from '../../../core/recordings/recordedLines.ts';
import { storedBytes } from '../../../core/storage/kinds.ts';
import type { BlockRef } from '../blocks.ts';
import { captureOf } from '../testing/lines.ts';
import { captured } from '../testing/operator.ts';
import { type ChunkStore, openChunkStore } from './store.ts';

const of = { network: 'net', networkID: 'uid-net' };
let kube: FakeKube;
beforeEach(() => {
  kube = createFakeKube({ isCollectingGarbage: true });
});

async function record(name: string): Promise<Stored<RecordingResource>> {
  const { uid: _, ...metadata } = aRecording({ name }).metadata;
  return kube.create(recordingType, { ...aRecording({ name, spec: { networks: ['net'] } }), metadata });
}

type Capture = ReturnType<typeof captureOf>;

/** Captures some blocks at a time, as an operator does. */
async function capture(store: ChunkStore, { lines, refs }: Capture): Promise<void> {
  const perBlock = lines.length / refs.length;
  for (let at = 0; at < refs.length; at += 3) {
    const blocks = refs.slice(at, at + 3);
    const own = lines.slice(at * perBlock, (at + blocks.length) * perBlock);
    await store.append(own, blocks.at(-1) as BlockRef);
  }
}

async function recordAll(name: string, all: Capture, from = 0): Promise<Stored<RecordingResource>> {
  const recording = await record(name);
  const store = await openChunkStore(kube, { recording, ...of }, 0);
  await capture(store, { lines: all.lines.slice(from), refs: all.refs.slice(from) });
  return recording;
}

const chunks = async () => (await kube.list(recordingChunkType)).items;
const bytes = async () => (await chunks()).reduce((sum, chunk) => sum + storedBytes(chunk), 0);
const hashesIn = (lines: readonly string[]) => lines.map((line) => parseLine(line).transaction.hash);
const hashesOf = async (recording: RecordingResource) =>
  (await captured(kube, recording)).map(({ hash }) => hash);
const dataOf = ({ lines }: Capture) =>
  lines.reduce((sum, line) => sum + (parseLine(line).transaction.data.length - 2) / 2, 0);

test('seven recordings of a wallet with 4 MB of calldata store about one copy', async () => {
  const all = captureOf({ blocks: 70, bytes: 60_000 });
  const recordings = [];
  for (let one = 0; one < 7; one++) recordings.push(await recordAll(`r${one}`, all, one));
  // Base64 of gzip of hex.
  const copy = dataOf(all) * 1.55;
  expect(await bytes()).toBeLessThan(1.4 * copy);
  for (const [from, one] of recordings.entries()) {
    expect(await hashesOf(one)).toEqual(hashesIn(all.lines.slice(from)));
  }
});

test('so do recordings that capture the same blocks at the same time', async () => {
  const all = captureOf({ blocks: 4, bytes: 1_000_000 });
  const recordings = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => recordAll(name, all)),
  );
  expect(await bytes()).toBeLessThan(1.05 * 1.55 * dataOf(all));
  for (const one of recordings) expect(await hashesOf(one)).toEqual(hashesIn(all.lines));
});

test('a copy stays until the last recording that has it is deleted', async () => {
  const all = captureOf({ blocks: 20, bytes: 60_000 });
  const [first, second] = [await recordAll('first', all), await recordAll('second', all, 3)];
  await kube.delete(recordingType, first.metadata);
  expect(await hashesOf(second)).toEqual(hashesIn(all.lines.slice(3)));
  await kube.delete(recordingType, second.metadata);
  expect(await chunks()).toEqual([]);
});

test('a reorg that takes blocks from one recording leaves them to the other, and deletes what nobody has', async () => {
  const all = captureOf({ blocks: 20, bytes: 60_000 });
  const kept = await recordAll('kept', all);
  const alone = await bytes();
  const recording = await record('reverted');
  const store = await openChunkStore(kube, { recording, ...of }, 0);
  await capture(store, all);
  const instead = captureOf({ blocks: 12, bytes: 60_000, first: 6, branch: 'b' });
  const isOnChain = async (blocks: readonly BlockRef[]) => blocks.map(({ number }) => number <= 5);
  expect(await store.stepBack(isOnChain)).toEqual(all.refs[4]);
  await capture(store, instead);
  expect(await hashesOf(kept)).toEqual(hashesIn(all.lines));
  expect(await hashesOf(recording)).toEqual(hashesIn([...all.lines.slice(0, 5), ...instead.lines]));
  await store.stepBack(async (blocks) => blocks.map(() => false));
  expect(await bytes()).toBeLessThan(1.01 * alone);
  expect(await hashesOf(kept)).toEqual(hashesIn(all.lines));
});

test('a recording that goes back to the end of a shared text goes on with it', async () => {
  const all = captureOf({ blocks: 2, bytes: 600_000 });
  const recording = await record('one');
  const store = await openChunkStore(kube, { recording, ...of }, 0);
  await capture(store, all);
  await store.append(captureOf({ blocks: 1, bytes: 10, first: 3, branch: 'b' }).lines, {
    number: 4,
    hash: `0x${'4'.repeat(64)}`,
  });
  const isOnChain = async (blocks: readonly BlockRef[]) => blocks.map(({ number }) => number <= 2);
  expect(await store.stepBack(isOnChain)).toEqual(all.refs[1]);
  expect([store.total(), store.last()]).toEqual([2, all.refs[1]]);
  const again = await openChunkStore(kube, { recording, ...of }, 2);
  expect([again.total(), again.count(), again.last()]).toEqual([2, 2, all.refs[1]]);
  expect(await hashesOf(recording)).toEqual(hashesIn(all.lines));
});

test('nobody takes a text that Kubernetes may be deleting', async () => {
  kube = createFakeKube();
  const all = captureOf({ blocks: 1, bytes: 400_000 });
  const gone = await recordAll('gone', all);
  const alone = (await chunks()).length;
  const shared = (await chunks()).filter(({ spec }) => spec.recording === undefined);
  for (const { metadata } of shared) expect(metadata.labels).toEqual({ 'slipway.dev/workspace': 'test' });
  await kube.delete(recordingType, gone.metadata);
  const next = await recordAll('next', all);
  expect(await chunks()).toHaveLength(2 * alone);
  expect(await hashesOf(next)).toEqual(hashesIn(all.lines));
});

test('a text has room for 500 recordings, and others store another copy', async () => {
  const all = captureOf({ blocks: 1, bytes: 20_000, perBlock: 4 });
  const first = await recordAll('first', all);
  const own = (await chunks()).length;
  const [head] = (await chunks()).filter(({ metadata }) => metadata.name.endsWith('-0-0'));
  const references = Array.from({ length: 500 }, () => ({
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Recording',
    name: 'first',
    uid: first.metadata.uid,
  }));
  await kube.patch(recordingChunkType, head?.metadata as never, {
    metadata: { ownerReferences: references },
  });
  await recordAll('second', all);
  expect(await chunks()).toHaveLength(2 * own);
});

describe('chunks of earlier versions', () => {
  /** As version 0.4 stored lines: in one chunk up to 480 kB, or in several that hold one text. */
  async function seed(recording: Stored<RecordingResource>, { lines, refs }: Capture): Promise<number> {
    const data = await packLines(lines);
    const last = refs.at(-1) as BlockRef;
    const count = Math.ceil(data.length / maxChunkData);
    for (let index = 0; index < count; index++) {
      const metadata = {
        name: chunkNameOf(recording.metadata.uid, 'net', index),
        namespace: recording.metadata.namespace,
        ownerReferences: [controllerReferenceTo(recording)],
      };
      const spec = {
        recording: recording.metadata.name,
        ...of,
        index,
        total: lines.length,
        lastBlock: last.number,
        lastHash: last.hash,
        ...(index < count - 1 ? { continues: true } : {}),
        data: data.slice(index * maxChunkData, (index + 1) * maxChunkData),
      };
      await kube.create(recordingChunkType, { apiVersion, kind: 'RecordingChunk', metadata, spec });
    }
    return count;
  }

  test.each([
    ['one that holds much', captureOf({ blocks: 30, bytes: 10_000 })],
    ['several that hold one text', captureOf({ blocks: 1, bytes: 1_500_000 })],
    ['one that holds little', captureOf({ blocks: 1, bytes: 10 })],
  ])('are read, added to and taken back: %s', async (_what, before) => {
    const recording = await record('old');
    const known = await seed(recording, before);
    const first = before.refs.length + 1;
    const after = captureOf({ blocks: 4, bytes: 60_000, first });
    const store = await openChunkStore(kube, { recording, ...of }, known);
    await capture(store, after);
    expect(await hashesOf(recording)).toEqual(hashesIn([...before.lines, ...after.lines]));
    await store.stepBack(async (blocks) => blocks.map(({ number }) => number < first));
    expect(await hashesOf(recording)).toEqual(hashesIn(before.lines));
    await capture(store, after);
    expect(await hashesOf(recording)).toEqual(hashesIn([...before.lines, ...after.lines]));
  });
});

describe('an operator that dies', () => {
  const all = captureOf({ blocks: 3, bytes: 600_000 });
  const writes = ['create', 'replace'] as const;

  test.each(Array.from({ length: 8 }, (_, index) => index + 1))(
    'at write %i leaves no text that is not whole, and the next one completes it',
    async (at) => {
      const other = await recordAll('other', captureOf({ blocks: 1, bytes: 10 }));
      const recording = await record('one');
      let count = 0;
      const mortal = { ...kube };
      for (const verb of writes) {
        const write = kube[verb] as (...args: unknown[]) => Promise<never>;
        mortal[verb] = (async (...args: unknown[]) => {
          count += 1;
          if (count >= at) throw new AppError('Unavailable', 'dead');
          return write(...args);
        }) as never;
      }
      const dying = await openChunkStore(mortal, { recording, ...of }, 0);
      await expect(capture(dying, all)).rejects.toThrow('dead');
      const next = await openChunkStore(kube, { recording, ...of }, 0);
      const done = next.total();
      expect(await hashesOf(recording)).toEqual(hashesIn(all.lines.slice(0, done)));
      await capture(next, { lines: all.lines.slice(done), refs: all.refs.slice(done) });
      expect(await hashesOf(recording)).toEqual(hashesIn(all.lines));
      await kube.delete(recordingType, recording.metadata);
      await kube.delete(recordingType, other.metadata);
      expect(await chunks()).toEqual([]);
    },
  );
});
