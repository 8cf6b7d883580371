import { maxChunkData, type RecordingChunkResource } from '../../../core/api/resources/recordingChunk.ts';
import { recordingChunkType } from '../../../core/api/resources/resources.ts';
import { aRecording } from '../../../core/api/testing/builders.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { readChunks, sharedChunkNameOf } from '../../../core/recordings/chunks.ts';
import { parseLine } from '../../../core/recordings/recordedLines.ts';
import type { BlockRef } from '../blocks.ts';
import { blockHashOf, lineIn } from '../testing/lines.ts';
import { type ChunkStore, openChunkStore } from './store.ts';

const recording = asStored(aRecording());
const place = { recording, network: 'net', networkID: 'uid-net' };
let kube: FakeKube;
beforeEach(() => {
  kube = createFakeKube();
});

const open = (known = 0): Promise<ChunkStore> => openChunkStore(kube, place, known);
const refAt = (number: number): BlockRef => ({ number, hash: blockHashOf(number) });
const lineAt = (block: number, bytes = 10) => lineIn(refAt(block), bytes);

/** The chunks of the recording itself. */
async function stored(): Promise<RecordingChunkResource[]> {
  const { items } = await kube.list(recordingChunkType);
  return items.filter(({ spec }) => spec.recording !== undefined).sort((a, b) => a.spec.index - b.spec.index);
}
async function storedLines(): Promise<string[]> {
  const own = (await stored()).map(({ spec }) => spec);
  const { namespace } = recording.metadata;
  const getShared = async (source: string, index: number) =>
    (await kube.get(recordingChunkType, { namespace, name: sharedChunkNameOf(source, index) }))?.spec;
  const lines: string[] = [];
  for await (const text of readChunks({ get: async (index) => own[index], getShared }, own.length)) {
    lines.push(...text);
  }
  return lines;
}
async function sizes(): Promise<number[]> {
  const { items } = await kube.list(recordingChunkType);
  return items.map((chunk) => Buffer.byteLength(JSON.stringify(chunk)));
}

async function fill(store: ChunkStore, blocks: number, bytes: number): Promise<string[]> {
  const lines: string[] = [];
  for (let block = 1; block <= blocks; block++) {
    const line = lineAt(block, bytes);
    lines.push(line);
    await store.append([line], refAt(block));
  }
  return lines;
}

it('adds to the last chunk while it is small, and starts another one when it is not', async () => {
  const store = await open();
  const lines = await fill(store, 60, 5_000);
  expect(await storedLines()).toEqual(lines);
  expect(store.count()).toBeGreaterThan(2);
  expect(store.total()).toBe(60);
  expect((await stored()).map(({ spec }) => spec.index)).toEqual(
    Array.from({ length: store.count() }, (_, i) => i),
  );
  expect(Math.max(...(await sizes()))).toBeLessThan(512_000);
});

it('splits a transaction that is larger than a chunk, and puts the next one into another chunk', async () => {
  const store = await open();
  const lines = [lineAt(1), lineAt(2, 1_500_000), lineAt(3)];
  for (const [at, line] of lines.entries()) await store.append([line], refAt(at + 1));
  expect(await storedLines()).toEqual(lines);
  expect((await stored()).map(({ spec }) => spec.source !== undefined)).toEqual([false, true, false]);
  const { items } = await kube.list(recordingChunkType);
  const pieces = items.filter(({ spec }) => spec.recording === undefined);
  expect(pieces.map(({ spec }) => spec.continues ?? false)).toEqual([true, true, true, true, true, false]);
  expect(Math.max(...(await sizes()))).toBeLessThan(512_000);
  const again = await open(3);
  expect([again.total(), again.last()]).toEqual([3, refAt(3)]);
});

it.each([0, 1, 3, 9])('finds the end when about %i chunks are known', async (known) => {
  const lines = await fill(await open(), 60, 5_000);
  const store = await open(known);
  expect([store.last(), store.total(), store.count()]).toEqual([refAt(60), 60, (await stored()).length]);
  const more = lineAt(61);
  await store.append([more], refAt(61));
  expect(await storedLines()).toEqual([...lines, more]);
});

it.each([1, 2, 3])(
  'a crash at write %i of a large addition leaves no partial text, and loses nothing',
  async (at) => {
    const first = lineAt(1);
    await (await open()).append([first], refAt(1));
    let writes = 0;
    const mortal = {
      ...kube,
      create: (...args: Parameters<typeof kube.create>) => {
        writes++;
        if (writes === at) throw new AppError('Unavailable', 'dead');
        return kube.create(...args);
      },
    } as typeof kube;
    const large = lineAt(2, 1_000_000);
    const dying = await openChunkStore(mortal, place, 0);
    await expect(dying.append([large], refAt(2))).rejects.toThrow('dead');
    expect(await storedLines()).toEqual([first]);
    const next = await open(1);
    expect(next.last()).toEqual(refAt(1));
    await next.append([large], refAt(2));
    expect(await storedLines()).toEqual([first, large]);
  },
);

describe('after a reorg', () => {
  const keepUpTo = (number: number) => async (blocks: readonly BlockRef[]) =>
    blocks.map((block) => block.number <= number);

  it.each([59, 30, 7, 1])('keeps what is in blocks up to %i', async (number) => {
    const lines = await fill(await open(), 60, 5_000);
    const store = await open(2);
    expect(await store.stepBack(keepUpTo(number))).toEqual(refAt(number));
    expect(await storedLines()).toEqual(lines.slice(0, number));
    expect([store.total(), store.last()]).toEqual([number, refAt(number)]);
    const instead = lineAt(number + 1);
    await store.append([instead], refAt(number + 1));
    expect(await storedLines()).toEqual([...lines.slice(0, number), instead]);
    expect((await open(store.count())).total()).toBe(number + 1);
  });

  it('keeps nothing when no block is left', async () => {
    const store = await open();
    await fill(store, 60, 5_000);
    expect(await store.stepBack(keepUpTo(0))).toBeUndefined();
    expect(await stored()).toEqual([]);
    expect([store.total(), store.count(), store.last()]).toEqual([0, 0, undefined]);
  });

  it('removes a transaction that is larger than a chunk', async () => {
    const store = await open();
    const first = lineAt(1);
    await store.append([first], refAt(1));
    await store.append([lineAt(2, 1_000_000)], refAt(2));
    expect(await store.stepBack(keepUpTo(1))).toEqual(refAt(1));
    expect(await storedLines()).toEqual([first]);
  });
});

it('chunks are deleted with their recording, and carry its workspace', async () => {
  await (await open()).append([lineAt(1)], refAt(1));
  const [chunk] = await stored();
  expect(chunk?.metadata).toMatchObject({
    labels: { 'slipway.dev/recording': recording.metadata.uid, 'slipway.dev/workspace': 'test' },
    ownerReferences: [{ kind: 'Recording', name: 'my-recording', uid: recording.metadata.uid }],
  });
  expect(chunk?.spec.data.length).toBeLessThan(maxChunkData);
  expect(parseLine((await storedLines())[0] ?? '').transaction.block).toBe(1);
});
