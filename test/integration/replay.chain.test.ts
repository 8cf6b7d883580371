import { idOf } from '../../core/api/ids.ts';
import { labels } from '../../core/api/names.ts';
import { networkType, recordingType, replayType } from '../../core/api/resources/resources.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { type ReplayScene, startReplayScene, stranger } from './testing/replayScene.ts';

let world: ReplayScene;
beforeAll(async () => {
  world = await startReplayScene();
});
afterAll(() => world.stop());

it('a recording is replayed on another network, and every transaction matches', async () => {
  const target = await world.addNetwork('target');
  const { status, json } = await world.replay({
    recordingId: world.recordingId,
    networkMapping: { [world.source.id]: target.id },
  });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    success: true,
    networks: [target.id],
    totalTransactions: 4,
    appliedNetworkMapping: { [world.source.id]: target.id },
  });
  const transactions = json.transactions[target.id];
  expect(
    transactions.map(({ status: state, match }: { status: string; match: boolean }) => [state, match]),
  ).toEqual([
    ['success', true],
    ['success', true],
    ['reverted', true],
    ['success', true],
  ]);
  const token = transactions[0].contract_address;
  expect(await world.balanceOf(target, token, stranger)).toBe(5n);
  expect(await world.balanceOf(target, token, world.scene.wallet.address)).toBe(995n);
});

it('a recording over REST says where its chain was at the start and at the stop', async () => {
  const { items } = await world.kube.list(recordingType, {});
  const recording = items.find((one) => idOf(one) === world.recordingId);
  const { id, resource } = world.source;
  const { enclaveID, chainID } = resource.status ?? {};
  const place = { network: 'source', networkID: id, enclaveID, chainID, hash: expect.stringMatching(/^0x/) };
  const lastBlock = recording?.status?.networks?.[0]?.lastBlock ?? 0;
  expect(lastBlock).toBeGreaterThan(0);
  expect(recording?.spec).toMatchObject({
    start: [{ ...place, block: 0 }],
    end: [{ ...place, block: lastBlock }],
  });
});

it('a document is replayed on the network that it names, on top of its existing state', async () => {
  const replayDocument = await world.documentOf();
  const { json } = await world.replay({ replayDocument });
  expect(json).toMatchObject({ success: true, networks: [world.source.id], totalTransactions: 4 });
});

it('the recorded_data of a recording is accepted as a document, as it was read', async () => {
  const { recorded_data: replayDocument } = await world.recordingOf();
  const { status, json } = await world.replay({ replayDocument, dryRun: true });
  expect([status, json.success, json.totalTransactions]).toEqual([200, true, 4]);
});

it('a dry run returns the plan and sends nothing', async () => {
  const before = await world.countOn(world.source);
  const { status, json } = await world.replay({ recordingId: world.recordingId, dryRun: true });
  expect(status).toBe(200);
  expect(json).toMatchObject({ success: true, totalTransactions: 4, networks: [world.source.id] });
  expect(json.transactions[world.source.id][0]).toMatchObject({ status: 'skipped', match: false });
  expect(await world.countOn(world.source)).toBe(before);
});

it('a key that may not send transactions is refused a replay, but not a dry run', async () => {
  const as = 'rec';
  const refused = await world.replay({ recordingId: world.recordingId }, { as });
  expect([refused.status, refused.json.message]).toEqual([
    403,
    expect.stringContaining('transactions:write'),
  ]);
  // It gets further: this caller has no key to replay with.
  const { json } = await world.replay({ recordingId: world.recordingId, dryRun: true }, { as });
  expect(json.message).not.toContain('transactions:write');
});

it('repeating a replay with its Idempotency-Key returns the same outcome and sends nothing twice', async () => {
  const before = await world.countOn(world.source);
  const headers = { 'Idempotency-Key': 'again' };
  const [one, two] = [
    await world.replay({ recordingId: world.recordingId }, { headers }),
    await world.replay({ recordingId: world.recordingId }, { headers }),
  ];
  expect(two.json).toEqual(one.json);
  expect(await world.countOn(world.source)).toBe(before + 4);
});

it('earlier transactions of the caller that the node does not have yet shift the addresses of new contracts', async () => {
  const target = await world.addNetwork('busy');
  const rpc = createEvmRpc({ url: target.url });
  await rpc.call('evm_setAutomine', [false]);
  // Creations that use all their gas: a block holds 14 of them, and the others wait until those are mined.
  const burner = { data: '0xfe', gas_limit: 2_100_000 };
  const burners = Array.from({ length: 20 }, () => burner);
  expect((await world.submit(target, burners)).status).toBe(202);
  expect(await world.countOn(target)).toBe(14);
  const networkMapping = { [world.source.id]: target.id };
  const replaying = world.replay({ recordingId: world.recordingId, networkMapping });
  await world.accepted(target, 21);
  await rpc.call('evm_setAutomine', [true]);
  await rpc.call('evm_mine', []);
  expect((await replaying).json).toMatchObject({ success: true });
});

it('an unusable network is reported per transaction and does not block the others', async () => {
  const document = await world.documentOf();
  const target = await world.addNetwork('good');
  const dead = await world.scene.addNetwork('dead', { upstream: { host: '127.0.0.1', port: 1 } });
  const networks = { a: document.networks[world.source.id], b: document.networks[world.source.id] };
  const networkMapping = { a: target.id, b: dead.id };
  const { status, json } = await world.replay({ replayDocument: { ...document, networks }, networkMapping });
  expect(status).toBe(200);
  expect(json.success).toBe(false);
  expect(json.transactions[target.id].every(({ match }: { match: boolean }) => match)).toBe(true);
  expect(json.transactions[dead.id]).toHaveLength(4);
  expect(json.transactions[dead.id][3]).toMatchObject({
    status: 'skipped',
    match: false,
    differences: [expect.stringMatching(/^not sent: .*(reached|starting)/)],
  });
});

it('a replay without an Idempotency-Key is forgotten once it was answered', async () => {
  const runs = { labelSelector: `${labels.role}=run` };
  const count = async () => (await world.kube.list(replayType, runs)).items.length;
  const before = await count();
  expect((await world.replay({ recordingId: world.recordingId })).status).toBe(200);
  while ((await count()) !== before) await systemClock.sleep(20);
});

it('a repeated replay is answered although its recording and its target are gone', async () => {
  const target = await world.addNetwork('short-lived');
  const body = {
    recordingId: world.recordingId,
    networkMapping: { [world.source.id]: target.id },
  };
  const headers = { 'Idempotency-Key': 'gone' };
  const { status, json } = await world.replay(body, { headers });
  expect([status, json.success]).toEqual([200, true]);
  await world.kube.delete(networkType, target.resource.metadata);
  // The last test of this world.
  for (const { metadata } of (await world.kube.list(recordingType)).items)
    await world.kube.delete(recordingType, metadata);
  expect((await world.replay(body, { headers })).json).toEqual(json);
});
