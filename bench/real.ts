import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callRpc } from '../core/chains/evm/testing/startAnvil.ts';
import { startPlainAnvil } from '../core/evm/testing/plainAnvil.ts';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from '../e2e/lib/networks.ts';
import { ensureNodePackages, ownNode } from '../e2e/lib/packages.ts';
import { factsNow } from './lib/facts.ts';
import { percentile, round, writeReport } from './lib/report.ts';

/**
 * What a test suite pays: the same calls by viem to a network through its public URL, and to a plain anvil on this machine, in
 * turn in one run. `SAMPLES` sets how often.
 */
const samples = Number(process.env.SAMPLES ?? 40);
const aims: Record<string, number> = {
  'send and receipt': 1.4,
  'snapshot, send and revert': 1.5,
  'ten reads one after the other': 2.3,
  'twenty reads at once': 1.5,
};

type Samples = Record<string, { network: number[]; anvil: number[] }>;

const { name, wallet } = await createHotKey();
const { body } = await createNetwork({ privateKeyRef: { name } });
const { status } = await reach(body.id, 'Operational');
const { admin = '' } = await endpointsOf(body.id);
const plain = await startPlainAnvil(['--accounts', '0', '--chain-id', status.chainID]);
try {
  await callRpc(plain.url, 'anvil_setBalance', wallet.address, '0x56bc75e2d63100000');
  const rows = rowsOf(await measure());
  console.table(rows);
  writeReport('real', { ...factsNow(), samples, rows });
} finally {
  await plain.close();
  await remove(body.id);
}

async function measure(): Promise<Samples> {
  const project = join(import.meta.dirname, '..', 'e2e', 'clients', 'viem', 'package.json');
  const folder = await ensureNodePackages('client-viem', project);
  const script = join(folder, 'measure.js');
  copyFileSync(join(import.meta.dirname, 'real', 'viem.js'), script);
  const chainId = Number(status.chainID);
  const targets = { network: { url: admin, chainId }, anvil: { url: plain.url, chainId } };
  const env = {
    ...ownNode,
    TARGETS: JSON.stringify(targets),
    PRIVATE_KEY: wallet.privateKey,
    SAMPLES: String(samples),
  };
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    env,
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

function rowsOf(measured: Samples) {
  return Object.entries(measured).map(([operation, { network, anvil }]) => {
    const [own, other] = [percentile(network, 0.5), percentile(anvil, 0.5)];
    return {
      operation,
      networkMs: round(own),
      anvilMs: round(other),
      ratio: round(own / other),
      aim: aims[operation] ?? '',
      networkP95: round(percentile(network, 0.95)),
    };
  });
}
