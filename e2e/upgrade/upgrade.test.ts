import { join } from 'node:path';
import { run } from '../../hack/lib/run.ts';
import { type Bed, createBed } from '../faults/bed.ts';
import { createLedger, type Entry, judgeLedger } from '../faults/ledger.ts';
import { type Reader, startReader } from '../faults/reader.ts';
import { startWriter } from '../faults/writer.ts';
import { getJson } from '../lib/cluster.ts';
import { readRevision, rollBack } from '../lib/release.ts';
import { type Data, makeData, processesOf, readData } from './data.ts';
import { startUnderWay, type UnderWay } from './underWay.ts';

const root = join(import.meta.dirname, '..', '..');

const clusterUid = async (): Promise<string> => (await getJson('namespace', 'kube-system')).metadata.uid;

/** The way of a user: this checkout's images and chart take the place of the installed ones. */
async function upgrade(): Promise<void> {
  const [former, cluster] = [await readRevision(), await clusterUid()];
  await run(process.execPath, ['hack/up.ts', '--no-demo'], { cwd: root });
  if ((await clusterUid()) !== cluster)
    throw new Error(
      'this checkout replaces the native node of the former release: name a later commit with FROM',
    );
  if ((await readRevision()) !== former) return;
  throw new Error('what is installed is the same as this checkout: name another commit with FROM');
}

let bed: Bed;
let data: Data;
let underWay: UnderWay;
let before: unknown[];
let mesh: unknown;
/** Of the account that is recorded, in order. */
let sent: string[];
let former: string;
beforeAll(async () => {
  bed = await createBed();
  data = await makeData();
  underWay = await startUnderWay(data.chain, data.chain.wallet);
  mesh = await underWay.mesh();
  sent = [await underWay.send()];
  before = await readData(data);
  former = await readRevision();
});
afterAll(() => bed?.close());

const change: Record<string, () => Promise<void>> = {
  'an upgrade': upgrade,
  'the rollback of it': () => rollBack(former),
  'the upgrade after a rollback': upgrade,
};

/** A release that knows no ids of our own knows by its uid what was created since the upgrade (decision 115). */
async function countAfterRollback(entry: Entry): Promise<number> {
  if (entry.kind === 'transaction') return bed.countEffects(entry);
  const selector = `slipway.dev/id=${entry.id}`;
  const { items } = await getJson('networks.slipway.dev,secrets.slipway.dev', '--selector', selector);
  return items.length === 0 ? bed.countEffects(entry) : items.length;
}

describe.each(Object.keys(change))('%s under load', (name) => {
  const ledger = createLedger();
  let reader: Reader;
  let unexpected: string[];
  let processes: { before: string[][]; after: string[][] };
  let blocks: number[];

  const running = () => Promise.all([bed.networkId, data.chain.id].map(processesOf));
  beforeAll(async () => {
    processes = { before: await running(), after: [] };
    blocks = [await bed.provider.getBlockNumber()];
    const writer = startWriter(bed, ledger);
    reader = startReader();
    const count = ledger.size();
    await change[name]?.();
    // Some work is done by the new version alone.
    while (ledger.size() < count + 20) await new Promise((resolve) => setTimeout(resolve, 200));
    await reader.stop();
    await writer.stop();
    unexpected = writer.unexpected;
    processes.after = await running();
    blocks.push(await bed.provider.getBlockNumber());
  });

  it('loses nothing that was acknowledged, and does nothing twice', async () => {
    const isRollback = name === 'the rollback of it';
    const count = isRollback ? countAfterRollback : bed.countEffects;
    expect(await judgeLedger(ledger, count)).toMatchObject({ lost: [], doubled: [] });
    expect(ledger.size()).toBeGreaterThan(20);
  });

  it('answers every request with success, or with a 503 that says when to retry', () => {
    expect(unexpected).toEqual([]);
    expect(reader.wrong).toEqual([]);
    expect(reader.reads()).toBeGreaterThan(20);
  });

  it('restarts no chain: its processes are the same, and its blocks go on', () => {
    expect(processes.after).toEqual(processes.before);
    expect(blocks[1]).toBeGreaterThan(blocks[0] ?? 0);
  });

  it('objects of every kind read as before', async () => {
    expect(await readData(data)).toEqual(before);
  });

  it('a LayerZero network keeps its endpoints, and a recording goes on', async () => {
    expect(await underWay.mesh()).toEqual(mesh);
    sent.push(await underWay.send());
    expect(await underWay.recordingState()).toBe('recording');
  });
});

it('a recording has all that its account sent before, between and after', async () => {
  expect(await underWay.recorded()).toEqual(sent);
});

it('a persistent network that was stopped wakes with its chain', async () => {
  expect(await underWay.wake()).toEqual(underWay.before);
});
