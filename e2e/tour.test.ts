import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from '../hack/lib/codeBlocks.ts';
import { projectRoot } from '../hack/lib/paths.ts';
import { readDefaultKey } from './lib/accounts.ts';
import { runProgram } from './lib/cluster.ts';
import { remove } from './lib/networks.ts';
import { call } from './lib/service.ts';
import { tokensPath } from './lib/tokens.ts';

/** A code block of docs/tour.md as it stands. */
function blockOf(name: 'tour' | 'replay'): string {
  return blocksOf('docs/tour.md').find(({ words }) => words.includes(name))?.text ?? '';
}

/** Counts the steps of a block: each begins with a numbered comment. */
function countSteps(block: string): number {
  return block.match(/^# \d+\. /gm)?.length ?? 0;
}

async function cleanUp(): Promise<void> {
  const { body: tokens } = await call('GET', `${tokensPath}?symbol=TOUR`);
  for (const { id } of tokens.items ?? []) await call('DELETE', `${tokensPath}/${id}`);
  const { body: networks } = await call('GET', '/v1alpha/networks?limit=500');
  for (const { id, name } of networks.items) if (/^tour-(arbitrum|optimism)$/.test(name)) await remove(id);
}

beforeAll(async () => {
  await cleanUp();
  await readDefaultKey();
});
afterAll(cleanUp);

/** Runs the blocks and returns the lines that they print. */
async function run(blocks: string[]): Promise<string[]> {
  // In a separate folder, as in a fresh checkout.
  const folder = mkdtempSync(join(tmpdir(), 'slipway-tour-'));
  for (const name of ['.slipway', 'node_modules']) symlinkSync(join(projectRoot, name), join(folder, name));
  try {
    const script = ['set -eo pipefail', `cd ${folder}`, ...blocks].join('\n');
    const { code, stdout, stderr } = await runProgram('bash', ['-c', script]);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("the longer tour moves a token between two chains and replays an account's transactions on one of them", async () => {
  const [tour, replay] = [blockOf('tour'), blockOf('replay')];
  // With `make up`, the tour has fewer than ten steps.
  expect([countSteps(tour), countSteps(replay)]).toEqual([8, 4]);
  const lines = await run([tour, 'echo the tour is over', replay]);
  expect(lines[lines.indexOf('the tour is over') - 1]).toBe('100');
  expect(lines.at(-1)).toBe('true');
});
