import { randomBytes } from 'node:crypto';
import { networkType } from '../core/api/resources.ts';
import { createKube } from '../core/kube/client.ts';
import { systemClock } from '../core/lib/clock.ts';
import { silentLog } from '../core/lib/log.ts';
import { kubectl, namespace } from '../e2e/lib/cluster.ts';
import { call, kubeconfig } from '../e2e/lib/service.ts';
import { percentile, round, writeReport } from './lib/report.ts';

/**
 * Creates of a Network a second through REST, against creates of the same custom resource at kube-apiserver, at 1,
 * 16 and 64 in flight, in turn. The networks name a chain type that is refused a start, so that no pods compete for
 * the machine: their secret does not exist. `COUNT` sets how many for each measurement.
 */
const count = Number(process.env.COUNT ?? 400);
const rounds = Number(process.env.ROUNDS ?? 3);
const inFlight = [1, 16, 64];
const aim = 0.8;
const kube = createKube({ kubeconfigPath: kubeconfig, log: silentLog, clock: systemClock });
const prefix = `creates-${randomBytes(3).toString('hex')}`;
let serial = 0;

const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'never-there' } } } as const;
function nextName(): string {
  serial += 1;
  return `${prefix}-${serial}`;
}

async function createOverRest(): Promise<void> {
  const { status, body } = await call('POST', '/v1alpha/networks', {
    body: { name: nextName(), spec: { chain } },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
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

/** Creates a second, with `width` requests under way at any time. */
async function rateOf(create: () => Promise<void>, width: number): Promise<number> {
  let left = count;
  const startMs = performance.now();
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await create();
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return (count * 1000) / (performance.now() - startMs);
}

async function cleanUp(): Promise<void> {
  const { stdout } = await kubectl(['get', 'bnet', '--output', 'name']);
  const names = stdout.split('\n').filter((name) => name.includes(prefix));
  while (names.length > 0) await kubectl(['delete', '--wait=false', ...names.splice(0, 500)]);
}

async function main(): Promise<void> {
  const rows = [];
  for (const width of inFlight) {
    const rest: number[] = [];
    const direct: number[] = [];
    for (let turn = 0; turn < rounds; turn += 1) {
      direct.push(await rateOf(createDirectly, width));
      rest.push(await rateOf(createOverRest, width));
      await cleanUp();
    }
    const row = {
      inFlight: width,
      directPerSecond: round(percentile(direct, 0.5), 0),
      restPerSecond: round(percentile(rest, 0.5), 0),
      ratio: round(percentile(rest, 0.5) / percentile(direct, 0.5)),
    };
    rows.push(row);
    console.log(JSON.stringify(row));
  }
  writeReport('creates', { aim, count, rounds, rows });
}

try {
  await main();
} finally {
  await cleanUp();
  await kube.close();
}
