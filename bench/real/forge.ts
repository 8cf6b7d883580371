import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runForgeCreate, runForgeScript, runForgeTest } from '../../e2e/lib/foundry.ts';
import { measureRounds, type Row, rowOf } from './rows.ts';
import type { Targets } from './targets.ts';

/** A script that deploys and calls, and tests on a fork. The contracts are compiled before. */
export async function measureForge(targets: Targets, rounds: number): Promise<Row[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'slipway-bench-forge-'));
  const signing = (url: string) => ({ url, key: targets.privateKey });
  const deploy = (url: string) => runForgeScript('Deploy.s.sol', signing(url), scratch);
  const counterOn = (url: string) => runForgeCreate('src/Counter.sol:Counter', signing(url), ['41']);
  const work = async (url: string) => {
    const variables = { COUNTER: await counterOn(url), EXPECTED: '41' };
    return () => runForgeTest('CounterTest', url, variables, scratch);
  };
  try {
    const [ownTest, peerTest] = [await work(targets.network), await work(targets.anvil)];
    for (const url of [targets.network, targets.anvil]) await deploy(url);
    await ownTest();
    await peerTest();
    const own = () => deploy(targets.network);
    const script = await measureRounds(rounds, own, () => deploy(targets.anvil));
    const test = await measureRounds(rounds, ownTest, peerTest);
    return [rowOf('forge script', script), rowOf('forge test on a fork of it', test)];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
