import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networkType } from '../core/api/resources/resources.ts';
import { inParallel } from '../core/lib/work/inParallel.ts';
import { buildService, startBed } from './lib/bed.ts';
import { aNetwork } from './lib/networks.ts';
import { percentile, round, writeReport } from './lib/report.ts';

/**
 * Measures one caller in alternating rounds: alone, next to a caller that stays within its limit, and next to one that
 * sends twenty times its limit. The aim: times next to the flood are at most 1.3 times those alone. The flood also
 * contains the requests that its limit allows; the second case shows how much of the difference those cause.
 */
const perSecond = 100;
const floodPerSecond = 20 * perSecond;
/** A little below the limit, so that no request is rejected. */
const fairPerSecond = 0.9 * perSecond;
const rounds = 12;
const requestsInRound = 60;
const networks = 200;

interface Flood {
  answered: number;
  refused: number;
}

buildService();
const bed = await startBed();
const folder = mkdtempSync(join(tmpdir(), 'slipway-fairness-'));
try {
  const indexes = Array.from({ length: networks }, (_, index) => index);
  await inParallel(indexes, 16, (index) => bed.kube.create(networkType, aNetwork(bed.namespace, index)));
  const service = await bed.start('apiserver', { env: { CONFIG_DIR: configWithLimit() } });
  const victim = await makeKey(service.url);
  const measure = () => times(service.url, victim);
  await measure();
  const alone: number[] = [];
  const besideFair: number[] = [];
  const besideFlood: number[] = [];
  const floods: Flood[] = [];
  const beside = async (rate: number) => {
    const stop = startFlood(service.url, rate);
    await pause(1_500);
    const found = await measure();
    const seen = await stop();
    // The other key's bucket refills, so that each round starts with the same burst.
    await pause(2_500);
    return { found, seen };
  };
  for (let turn = 0; turn < rounds; turn += 1) {
    alone.push(...(await measure()));
    besideFair.push(...(await beside(fairPerSecond)).found);
    const { found, seen } = await beside(floodPerSecond);
    besideFlood.push(...found);
    floods.push(seen);
  }
  report({ alone, besideFair, besideFlood }, floods);
} finally {
  await bed.stop();
  rmSync(folder, { recursive: true, force: true });
}

function configWithLimit(): string {
  const config = join(folder, 'config');
  mkdirSync(config);
  const installation = {
    publicUrl: 'http://127.0.0.1',
    defaultWorkspace: { id: 'default', namespace: bed.namespace },
    limits: { requestsPerSecond: perSecond, burst: 2 * perSecond },
  };
  writeFileSync(join(config, 'config.json'), JSON.stringify(installation));
  return config;
}

/** A second API key of the same user, because limits apply per key. */
async function makeKey(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1alpha1/workspaces/default/api-keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${bed.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'victim', role: 'developer' }),
  });
  const json = (await answer.json()) as { token?: string };
  if (json.token === undefined) throw new Error(JSON.stringify(json));
  return json.token;
}

/** The duration of each of the victim's requests in milliseconds: lists of 50 networks, at a rate within its limit. */
async function times(url: string, token: string): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < requestsInRound; index += 1) {
    const startMs = performance.now();
    const answer = await fetch(`${url}/v1alpha/networks`, { headers: { Authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    if (answer.status !== 200)
      throw new Error(`a request of the measured caller failed with HTTP ${answer.status}`);
    found.push(performance.now() - startMs);
    await pause(10);
  }
  return found;
}

/** Floods from a separate process, so that the client's own cost does not slow the measured caller. */
function startFlood(url: string, rate: number): () => Promise<Flood> {
  const out = join(folder, 'flood.json');
  const args = [join(import.meta.dirname, 'fairness', 'flood.ts'), url, bed.token, String(rate), out];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  return async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    return JSON.parse(readFileSync(out, 'utf8'));
  };
}

function report(times: Record<'alone' | 'besideFair' | 'besideFlood', number[]>, floods: Flood[]): void {
  const side = (values: number[]) => ({
    n: values.length,
    p50Ms: round(percentile(values, 0.5)),
    p95Ms: round(percentile(values, 0.95)),
    meanMs: round(values.reduce((sum, value) => sum + value, 0) / values.length),
  });
  const [alone, besideFair, besideFlood] = [
    side(times.alone),
    side(times.besideFair),
    side(times.besideFlood),
  ];
  const ratio = (a: typeof alone, b: typeof alone) => ({
    p50: round(a.p50Ms / b.p50Ms),
    p95: round(a.p95Ms / b.p95Ms),
    mean: round(a.meanMs / b.meanMs),
  });
  const sum = (member: keyof Flood) => floods.reduce((all, flood) => all + flood[member], 0);
  const result = {
    aim: 'floodToAlone ≤ 1.3',
    networks,
    alone,
    besideFair,
    besideFlood,
    floodToAlone: ratio(besideFlood, alone),
    floodToFair: ratio(besideFlood, besideFair),
    flood: { perSecond: floodPerSecond, answered: sum('answered'), refused: sum('refused') },
  };
  console.log(JSON.stringify(result, null, 2));
  writeReport('fairness', result);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
