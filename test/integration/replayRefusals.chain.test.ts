import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { type ReplayScene, startReplayScene } from './testing/replayScene.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

let world: ReplayScene;
beforeAll(async () => {
  world = await startReplayScene();
});
afterAll(() => world.stop());

describe('is refused, naming the path:', () => {
  it.each<[string, () => Promise<object>, number, string]>([
    ['an unknown recording', async () => ({ recordingId: unknownId }), 404, ''],
    [
      'an unknown target',
      async () => ({ recordingId: world.recordingId, networkMapping: { [world.source.id]: unknownId } }),
      404,
      'networkMapping.',
    ],
    [
      'a target of another workspace',
      async () => {
        const { metadata } = world.kube.seed(networkType, aNetwork({ name: 'theirs', namespace: 'ws-two' }));
        return { recordingId: world.recordingId, networkMapping: { [world.source.id]: metadata.uid } };
      },
      404,
      'networkMapping.',
    ],
    [
      'a target that is not an EVM network',
      async () => {
        const spec = { chain: { type: 'Thorchain', thorchain: {} } } as const;
        const network = aNetwork({ name: 'rune', namespace: world.scene.user.namespace });
        const { metadata } = world.kube.seed(networkType, { ...network, spec });
        return { recordingId: world.recordingId, networkMapping: { [world.source.id]: metadata.uid } };
      },
      400,
      'networkMapping.',
    ],
    [
      'a mapping of a network that was not recorded',
      async () => ({ recordingId: world.recordingId, networkMapping: { [unknownId]: world.source.id } }),
      400,
      `networkMapping.${unknownId}`,
    ],
    [
      'two networks mapped to one',
      async () => {
        const document = await world.documentOf();
        const networks = { a: document.networks[world.source.id], b: document.networks[world.source.id] };
        return {
          replayDocument: { ...document, networks },
          networkMapping: { a: world.source.id, b: world.source.id },
        };
      },
      400,
      'networkMapping.b',
    ],
    [
      'a document with transactions out of order',
      async () => {
        const document = await world.documentOf();
        const network = document.networks[world.source.id];
        const transactions = network?.transactions.toReversed();
        return {
          replayDocument: { ...document, networks: { [world.source.id]: { ...network, transactions } } },
        };
      },
      400,
      'replayDocument.networks.',
    ],
    [
      'a document with an invalid value',
      async () => {
        const text = JSON.stringify(await world.documentOf()).replace('"nonce":0', '"nonce":-1');
        return { replayDocument: JSON.parse(text) };
      },
      400,
      'replayDocument.networks.',
    ],
    [
      'a document of another version',
      async () => ({ replayDocument: { ...(await world.documentOf()), version: 'v9' } }),
      400,
      'replayDocument.version',
    ],
    ['an empty request', async () => ({}), 400, 'recordingId'],
    [
      'both',
      async () => ({ recordingId: world.recordingId, replayDocument: await world.documentOf() }),
      400,
      'recordingId',
    ],
  ])('%s', async (_reason, bodyOf, expected, path) => {
    const before = await world.countOn(world.source);
    const { status, json } = await world.replay(await bodyOf());
    expect([status, json.details?.[0]?.path ?? '']).toEqual([expected, expect.stringContaining(path)]);
    expect(await world.countOn(world.source)).toBe(before);
  });

  it('a caller who may not send transactions', async () => {
    expect((await world.replay({ recordingId: world.recordingId }, { as: 'vic' })).status).toBe(403);
  });

  it('a recording of another workspace, like one that does not exist', async () => {
    expect((await world.replay({ recordingId: world.recordingId }, { as: 'ben' })).status).toBe(404);
  });

  it('a caller without a default key', async () => {
    const document = await world.documentOf();
    const { metadata } = world.kube.seed(networkType, aNetwork({ name: 'ben', namespace: 'ws-two' }));
    const networkMapping = { [world.source.id]: metadata.uid };
    const { status, json } = await world.replay({ replayDocument: document, networkMapping }, { as: 'ben' });
    expect([status, json.message]).toEqual([400, expect.stringContaining('default-key')]);
  });
});
