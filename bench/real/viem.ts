import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNodePackages, ownNode } from '../../e2e/lib/packages.ts';
import { run } from '../../hack/lib/run.ts';
import { type Row, rowOf } from './rows.ts';
import type { Targets } from './targets.ts';

/** The calls that a test suite with viem makes, in a process of their own. */
export async function measureViem(targets: Targets, rounds: number): Promise<Row[]> {
  const project = join(import.meta.dirname, '..', '..', 'e2e', 'clients', 'viem', 'package.json');
  const folder = await ensureNodePackages('client-viem', project);
  const script = join(folder, 'measure.js');
  copyFileSync(join(import.meta.dirname, 'viem.js'), script);
  const chainId = Number(targets.chainId);
  const urls = { network: { url: targets.network, chainId }, anvil: { url: targets.anvil, chainId } };
  const env = {
    ...ownNode,
    TARGETS: JSON.stringify(urls),
    PRIVATE_KEY: targets.privateKey,
    SAMPLES: String(rounds),
  };
  const measured: Record<string, { network: number[]; anvil: number[] }> = JSON.parse(
    await run(process.execPath, [script], { env }),
  );
  return Object.entries(measured).map(([work, { network, anvil }]) =>
    rowOf(`viem: ${work}`, { own: network, peer: anvil }),
  );
}
