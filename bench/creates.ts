import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import type { NetworkResource } from '../core/api/resources/network.ts';
import { networkType } from '../core/api/resources/resources.ts';
import { createKube } from '../core/kube/client/client.ts';
import { systemClock } from '../core/lib/clock.ts';
import { silentLog } from '../core/lib/log.ts';
import { inParallel } from '../core/lib/work/inParallel.ts';
import { namespace } from '../e2e/lib/cluster.ts';
import { kubeconfig, serviceUrl, token } from '../e2e/lib/service.ts';
import { factsNow } from './lib/facts.ts';
import { percentile, round, writeReport } from './lib/report.ts';

/**
 * Network creates per second through REST, compared with creates of the same custom resource at kube-apiserver, in
 * alternating rounds with 1, 16 and 64 requests in flight. The networks refer to a secret that does not exist, so they
 * never start and no pods compete for the machine. The operator catches up before the next measurement begins. `COUNT` sets the number of networks per measurement.
 */
const count = Number(process.env.COUNT ?? 400);
const rounds = Number(process.env.ROUNDS ?? 3);
const inFlight = [1, 16, 64];
const aim = 0.85;
const pollMs = 200;
const kube = createKube({ kubeconfigPath: kubeconfig, log: silentLog, clock: systemClock });
const rest = new Pool(serviceUrl, { connections: 64 });
const prefix = `creates-${randomBytes(3).toString('hex')}`;
let serial = 0;

const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'missing-secret' } } } as const;
function nextName(): string {
  serial += 1;
  return `${prefix}-${serial}`;
}

/** Uses the same HTTP client as the direct creates, so that both sides cost this process the same. */
async function createOverRest(): Promise<void> {
  const { statusCode, body } = await rest.request({
    method: 'POST',
    path: '/v1alpha/networks',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: nextName(), spec: { chain } }),
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(text);
}

async function createDirectly(): Promise<void> {
  await kube.create(networkType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: {
      name: nextName(),
      namespace,
      labels: { 'slipway.dev/owner': 'bench', 'slipway.dev/workspace': 'default' },
    },
    spec: { chain },
  });
}

/** The networks created per second, with `width` requests in flight at any time. Ends when the operator has seen them. */
async function measure(create: () => Promise<void>, width: number): Promise<number> {
  const startMs = performance.now();
  await inParallel(Array.from({ length: count }), width, create);
  const perSecond = (count * 1000) / (performance.now() - startMs);
  while ((await own()).some(({ status }) => status === undefined)) await systemClock.sleep(pollMs);
  return perSecond;
}

async function own(): Promise<NetworkResource[]> {
  const { items } = await kube.list(networkType, { namespace });
  return items.filter(({ metadata }) => metadata.name.startsWith(prefix));
}

async function cleanUp(): Promise<void> {
  const names = (await own()).map(({ metadata }) => metadata.name);
  await inParallel(names, 16, (name) => kube.delete(networkType, { namespace, name }));
  while ((await own()).length > 0) await systemClock.sleep(pollMs);
}

async function compare(width: number) {
  const direct: number[] = [];
  const rest: number[] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    const sides = [
      async () => direct.push(await measure(createDirectly, width)),
      async () => rest.push(await measure(createOverRest, width)),
    ];
    // Neither side always runs second.
    for (const side of turn % 2 === 0 ? sides : sides.reverse()) await side();
    await cleanUp();
  }
  const ratios = rest.map((rate, turn) => rate / (direct[turn] ?? rate));
  return {
    inFlight: width,
    directPerSecond: round(percentile(direct, 0.5), 0),
    restPerSecond: round(percentile(rest, 0.5), 0),
    ratio: round(percentile(ratios, 0.5)),
    ratios: { least: round(Math.min(...ratios)), most: round(Math.max(...ratios)) },
  };
}

async function main(): Promise<void> {
  const facts = factsNow();
  const rows = [];
  for (const width of inFlight) {
    const row = await compare(width);
    rows.push(row);
    console.log(JSON.stringify(row));
  }
  writeReport('creates', { facts, aim, count, rounds, rows });
}

try {
  await main();
} finally {
  await cleanUp();
  await Promise.all([kube.close(), rest.close()]);
}
