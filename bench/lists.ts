import { networkType } from '../core/api/resources/resources.ts';
import { inParallel } from '../core/lib/work/inParallel.ts';
import { type Bed, buildService, startBed } from './lib/bed.ts';
import { factsNow } from './lib/facts.ts';
import { aNetwork, aStatus } from './lib/networks.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { loadNow } from './lib/usage.ts';
import { type Case, cases } from './lists/cases.ts';
import { createRawSide, createRestSide, type Side } from './lists/sides.ts';

/**
 * Lists of 2,000 networks through REST, compared in alternating rounds with kube-apiserver lists that return the same
 * networks (verified for each query): the first page, and all pages. Uses a private kube-apiserver and the built
 * apiserver; no operator runs, so nothing changes in between. Times include the last byte; a walk parses each page to
 * find the next one. Both processes are warm. Then the first page of 10,000, also while another replica writes: then a list asks what is there.
 * `COUNT` and `LARGE` set the numbers of networks (without more, the last part is left out), `ROUNDS` how often each query is sent.
 */
const count = Number(process.env.COUNT ?? 2_000);
const largeCount = Number(process.env.LARGE ?? 10_000);
const rounds = Number(process.env.ROUNDS ?? 30);
const aim = 0.5;
const walkRounds = Math.ceil(rounds / 5);
/** Before anything is measured: a process that has just started runs code that is not compiled yet. */
const warmPages = 300;
const pageSizes = [50, 500];
const walkSize = 500;

async function populate({ kube, namespace }: Bed, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  await inParallel(numbers, 32, async (index) => {
    const network = await kube.create(networkType, aNetwork(namespace, index));
    await kube.patch(networkType, network.metadata, { status: aStatus(network, index) }, 'status');
  });
}

type Ask = (side: Side) => Promise<string[]>;

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

interface Sides {
  rest: Side;
  raw: Side;
}

/** Throws unless both sides list the same networks; a REST page may be shorter because it is limited to 1 MiB. */
async function checkSame({ rest, raw }: Sides, ask: Ask, isWhole: boolean): Promise<number> {
  const [texts, rawTexts] = [await ask(rest), await ask(raw)];
  const [uids, rawUids] = [rest.uidsIn(texts), raw.uidsIn(rawTexts)];
  const expected = isWhole ? rawUids : rawUids.slice(0, uids.length);
  if (uids.length === 0 || uids.join() !== expected.join())
    throw new Error('REST and kube-apiserver do not list the same networks');
  return uids.length;
}

interface CompareOptions {
  rounds: number;
  isWhole: boolean;
  /** Done before each round, and not measured. */
  before?: () => Promise<unknown>;
}

async function compare(sides: Sides, ask: Ask, options: CompareOptions) {
  const items = await checkSame(sides, ask, options.isWhole);
  const rest: number[] = [];
  const raw: number[] = [];
  for (let turn = 0; turn < options.rounds; turn += 1) {
    await options.before?.();
    raw.push(await timeOf(() => ask(sides.raw)));
    rest.push(await timeOf(() => ask(sides.rest)));
  }
  const [restMs, rawMs] = [percentile(rest, 0.5), percentile(raw, 0.5)];
  return { items, restMs: round(restMs), rawMs: round(rawMs), ratio: round(restMs / rawMs) };
}

async function measure(sides: Sides, query: Case) {
  const pages = [];
  for (const limit of pageSizes) {
    const ask: Ask = (side) => side.firstPage(query, limit);
    pages.push({ limit, ...(await compare(sides, ask, { rounds, isWhole: false })) });
  }
  const walkAll: Ask = (side) => side.walk(query, walkSize);
  const walk = await compare(sides, walkAll, { rounds: walkRounds, isWhole: true });
  const row = { question: query.selector ?? 'all', requests: query.raw.length, pages, walk };
  console.log(JSON.stringify(row));
  return row;
}

/** The first page of many networks: while nobody writes, and while another replica does. */
async function measureLarge(bed: Bed, sides: Sides, all: Case) {
  await populate(bed, count, largeCount);
  const ask: Ask = (side) => side.firstPage(all, 50);
  await compare(sides, ask, { rounds: 5, isWhole: false });
  const quiet = await compare(sides, ask, { rounds, isWhole: false });
  const other = await bed.start('apiserver');
  // Its name is after all others, so that the first page stays the same.
  let serial = 0;
  const before = async () => {
    serial += 1;
    const name = `zz-${serial}`;
    const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' } } } };
    const headers = { authorization: `Bearer ${bed.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${other.url}/v1alpha/networks`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name, spec }),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
  };
  const written = await compare(sides, ask, { rounds, isWhole: false, before });
  const large = { count: largeCount, quiet, written };
  console.log(JSON.stringify(large));
  return large;
}

buildService();
const bed = await startBed();
try {
  await populate(bed, 0, count);
  const apiserver = await bed.start('apiserver');
  const sides = {
    rest: createRestSide({ origin: apiserver.url, token: bed.token }),
    raw: createRawSide(bed.kubeconfig, bed.namespace),
  };
  for (const query of cases)
    await compare(sides, (side) => side.walk(query, 500), { rounds: 2, isWhole: true });
  const [all] = cases;
  if (!all) throw new Error('there is no query without a selector');
  await compare(sides, (side) => side.firstPage(all, 50), { rounds: warmPages, isWhole: false });
  const loadBefore = loadNow();
  const rows = [];
  for (const query of cases) rows.push(await measure(sides, query));
  const worstFirstPage = Math.max(...rows.flatMap(({ pages }) => pages.map(({ ratio }) => ratio)));
  const large = largeCount > count ? await measureLarge(bed, sides, all) : undefined;
  writeReport('lists', {
    facts: factsNow(),
    aim,
    count,
    rounds,
    worstFirstPage,
    apiserver: apiserver.usage(),
    loadBefore,
    large,
    rows,
  });
  await Promise.all([sides.rest.close(), sides.raw.close()]);
} finally {
  await bed.stop();
}
