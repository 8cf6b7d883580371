import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { networkType } from '../core/api/resources/resources.ts';
import { createKube } from '../core/kube/client/client.ts';
import { systemClock } from '../core/lib/clock.ts';
import { silentLog } from '../core/lib/log.ts';
import { inParallel } from '../core/lib/work/inParallel.ts';
import { namespace } from '../e2e/lib/cluster.ts';
import { kubeconfig, serviceUrl, token } from '../e2e/lib/service.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { measureBothMs } from './lib/timing.ts';

/**
 * Network creates per second through REST, compared with creates of the same custom resource at kube-apiserver, in
 * alternating rounds with 1, 16 and 64 requests in flight. The networks refer to a secret that does not exist, so they
 * never start and no pods compete for the machine. `COUNT` sets the number of networks per measurement.
 */
const count = Number(process.env.COUNT ?? 400);
const rounds = Number(process.env.ROUNDS ?? 3);
const inFlight = [1, 16, 64];
const aim = 0.85;
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

/** Creates `count` networks with `width` requests in flight at any time. */
const createAll = (create: () => Promise<void>, width: number) => () =>
  inParallel(Array.from({ length: count }), width, create);

const rateOf = (timesMs: readonly number[]) => (count * 1000) / percentile(timesMs, 0.5);

async function cleanUp(): Promise<void> {
  const { items } = await kube.list(networkType, { namespace, isMetadataOnly: true });
  const names = items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith(prefix));
  await inParallel(names, 16, (name) => kube.delete(networkType, { namespace, name }));
}

async function main(): Promise<void> {
  const rows = [];
  for (const width of inFlight) {
    const rest: number[] = [];
    const direct: number[] = [];
    for (let turn = 0; turn < rounds; turn += 1) {
      const [directMs, restMs] = await measureBothMs(
        turn,
        createAll(createDirectly, width),
        createAll(createOverRest, width),
      );
      direct.push(directMs);
      rest.push(restMs);
      await cleanUp();
    }
    const row = {
      inFlight: width,
      directPerSecond: round(rateOf(direct), 0),
      restPerSecond: round(rateOf(rest), 0),
      ratio: round(rateOf(rest) / rateOf(direct)),
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
  await Promise.all([kube.close(), rest.close()]);
}
