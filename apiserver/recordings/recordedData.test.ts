import { recordingChunkType } from '../../core/api/resources/resources.ts';
import { AppError } from '../../core/lib/errors.ts';
import { packLines } from '../../core/lib/json/packedLines.ts';
import { chunkNameOf, sharedChunkNameOf } from '../../core/recordings/chunks.ts';
import {
  api,
  base,
  kube,
  namespace,
  seedChunk,
  seedNetwork,
  seedRecording,
  statusOf,
  stop,
  useRecordingsApi,
} from './testing/recordingsApi.ts';

useRecordingsApi();

describe('an answer with recorded data', () => {
  const all = Array.from({ length: 40 }, (_, index) => index);

  async function seedLong(): Promise<{ name: string; uid: string }> {
    seedNetwork('net');
    const recording = await seedRecording(
      'long',
      ['net'],
      statusOf({ networks: ['net'], stopped: true, chunksOf: { net: all.length } }),
    );
    for (const index of all) await seedChunk(recording, 'net', [2 * index, 2 * index + 1], '00'.repeat(2000));
    return recording;
  }

  it('is complete however long it is', async () => {
    const { uid } = await seedLong();
    const { json } = await api.request(`${base}/${uid}/document`);
    const { transactions } = json.networks[`uid-${namespace}-net`];
    expect(transactions.map(({ nonce }: { nonce: number }) => nonce)).toEqual([...Array(80).keys()]);
  });

  it('has what the recording shares with others, and is not taken for complete without it', async () => {
    const recording = await seedLong();
    const ref = { namespace, name: chunkNameOf(recording.uid, 'net', 30) };
    const own = await kube.get(recordingChunkType, ref);
    if (!own) throw new Error('there is no chunk');
    const { recording: _, ...spec } = own.spec;
    const { data } = spec;
    for (const [index, part] of ['', data.slice(0, 500), data.slice(500)].entries()) {
      const metadata = { namespace, name: sharedChunkNameOf('shared-one', index) };
      const more = index < 2 ? { continues: true } : {};
      kube.seed(recordingChunkType, { ...own, metadata, spec: { ...spec, ...more, index, data: part } });
    }
    const reference = { ...own.spec, source: 'shared-one', data: await packLines([]) };
    await kube.replace(recordingChunkType, { ...own, spec: reference });
    const { json } = await api.request(`${base}/${recording.uid}/document`);
    const { transactions } = json.networks[`uid-${namespace}-net`];
    expect(transactions.map(({ nonce }: { nonce: number }) => nonce)).toEqual([...Array(80).keys()]);
    await kube.delete(recordingChunkType, { namespace, name: sharedChunkNameOf('shared-one', 2) });
    await expect(api.request(`${base}/${recording.uid}/document`)).rejects.toThrow();
  });

  it('breaks off the connection if a part of it cannot be read, so that nobody takes it for complete', async () => {
    const recording = await seedLong();
    const name = chunkNameOf(recording.uid, 'net', 30);
    await kube.delete(recordingChunkType, { namespace, name });
    for (const path of [recording.uid, `${recording.uid}/document`]) {
      await expect(api.request(`${base}/${path}`)).rejects.toThrow();
    }
    await expect(stop(recording.uid)).rejects.toThrow();
  });

  it('is an Error object if nothing of it can be read', async () => {
    const recording = await seedLong();
    const error = new AppError('Unavailable', 'kube-apiserver was not reached');
    kube.failNext({ verb: 'get', kind: 'RecordingChunk', error });
    const { status, json } = await api.request(`${base}/${recording.uid}/document`);
    expect([status, json.kind]).toEqual([503, 'Error']);
  });
});
