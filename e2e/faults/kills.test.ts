import { existsSync } from 'node:fs';
import { layout } from '../../hack/nativeNode/setup/layout.ts';
import { releaseName, releaseNamespace } from '../../hack/up/names.ts';
import { getJson, helm, namespace } from '../lib/cluster.ts';
import { killLeader, killReplica } from '../lib/kills.ts';
import { killPod, killService } from '../lib/processes.ts';
import { runRunbook } from '../lib/runbook.ts';
import { call, until } from '../lib/service.ts';
import { amount, type Bed, createBed } from './bed.ts';
import { createLedger, judgeLedger, type Ledger } from './ledger.ts';
import { type FaultRow, renderFaultTable } from './table.ts';
import { createAnyNetwork, sendTransfer, startWriter } from './writer.ts';

interface Fault {
  name: string;
  times: number;
  inject(bed: Bed): Promise<void>;
}

async function killEngine({ networkId }: Bed): Promise<void> {
  const { items } = await getJson('pods', '--selector', `slipway.dev/network=${networkId}`);
  await killPod(namespace, items[0].metadata.name);
}

/** Rolls all pods of the release, as an upgrade with changed values does. */
async function upgrade(): Promise<void> {
  const stamp = `operator.podAnnotations.upgraded=at-${Date.now()}`;
  const other = stamp.replace('operator', 'apiserver');
  const args = [
    '--reuse-values',
    '--force-conflicts',
    '--set',
    stamp,
    '--set',
    other,
    '--wait',
    '--timeout',
    '5m',
  ];
  const chart = `${import.meta.dirname}/../../charts/slipway`;
  await succeed(helm(['upgrade', releaseName, chart, '--namespace', releaseNamespace, ...args]));
}

/** Keys that were replaced since the former revision stay: URLs with the new ones keep working. */
async function rollBackAfterRotation(): Promise<void> {
  const readKeys = async () =>
    (await getJson('secret', 'slipway-keys', '--namespace', releaseNamespace)).data;
  await runRunbook('Add a new key', { FILES: 'access-keys cursor-keys' });
  const rotated = await readKeys();
  await rollBack();
  expect(await readKeys()).toEqual(rotated);
}

async function rollBack(): Promise<void> {
  const args = ['rollback', releaseName, '--namespace', releaseNamespace, '--wait', '--timeout', '5m'];
  await succeed(helm(args));
}

async function succeed(running: ReturnType<typeof helm>): Promise<void> {
  const { code, stderr } = await running;
  if (code !== 0) throw new Error(stderr);
}

const faults: Fault[] = [
  { name: 'SIGKILL of an API server replica', times: 3, inject: killReplica },
  { name: 'SIGKILL of the leading operator', times: 3, inject: killLeader },
  { name: 'SIGKILL of a persistent engine', times: 3, inject: killEngine },
  { name: 'SIGKILL of etcd', times: 3, inject: () => killService('etcd') },
  { name: 'SIGKILL of kube-apiserver', times: 3, inject: () => killService('kube-apiserver') },
  { name: 'SIGKILL of containerd', times: 3, inject: () => killService('containerd') },
  { name: 'SIGKILL of the kubelet', times: 3, inject: () => killService('kubelet') },
  { name: 'rolling upgrade', times: 1, inject: upgrade },
  { name: 'rollback after a rotation of keys', times: 1, inject: rollBackAfterRotation },
];

const rows: FaultRow[] = [];
let bed: Bed;
beforeAll(async () => {
  bed = await createBed();
});
afterAll(async () => {
  process.stderr.write(`\n${renderFaultTable(rows)}\n`);
  await bed?.close();
});

// The services of other clusters do not belong to this machine.
const onNativeNode = existsSync(layout.services) ? describe : describe.skip;

onNativeNode('under a writer that keeps a ledger', () => {
  test.each(faults)(
    '$name loses nothing that was acknowledged and does nothing twice',
    async ({ name, times, inject }) => {
      const ledger = createLedger();
      const writer = startWriter(bed, ledger);
      const recoveriesMs: number[] = [];
      try {
        for (let time = 0; time < times; time += 1) {
          await inject(bed);
          recoveriesMs.push(await measureRecovery(ledger));
        }
      } finally {
        await writer.stop();
      }
      const { lost, doubled } = await judgeLedger(ledger, bed.countEffects);
      await removeWritten(ledger);
      rows.push({ fault: name, recoveriesMs, lost: lost.length, doubled: doubled.length });
      expect({ lost, doubled, unexpected: writer.unexpected }).toEqual({
        lost: [],
        doubled: [],
        unexpected: [],
      });
      expect(ledger.size()).toBeGreaterThan(times);
    },
  );
});

/** Milliseconds until a transfer and a network that are sent now are done: API server, operator and engines work again. */
async function measureRecovery(ledger: Ledger): Promise<number> {
  const startMs = Date.now();
  await Promise.all([carryOutTransfer(ledger), carryOutNetwork()]);
  return Date.now() - startMs;
}

async function carryOutTransfer(ledger: Ledger): Promise<void> {
  const receiver = await sendTransfer(bed, ledger);
  const readBalance = () => bed.provider.getBalance(receiver).then(String, (error: Error) => error.message);
  await until('the transfer to be mined', readBalance, (balance) => balance === String(amount));
}

async function carryOutNetwork(): Promise<void> {
  const id = await createAnyNetwork(bed);
  const read = () => call('GET', `/v1alpha/networks/${id}`).catch(() => undefined);
  await until('the network', read, (answer) => answer?.body.status?.state === 'Operational');
  await call('DELETE', `/v1alpha/networks/${id}`);
}

async function removeWritten(ledger: Ledger): Promise<void> {
  const paths: Record<string, string> = { network: '/v1alpha/networks', secret: '/v1alpha/secrets' };
  for (const { kind, id } of ledger.entries()) if (paths[kind]) await call('DELETE', `${paths[kind]}/${id}`);
}
