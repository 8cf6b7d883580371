import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { projectRoot } from '../hack/lib/paths.ts';
import { runProgram } from './lib/cluster.ts';
import { remove } from './lib/networks.ts';
import { call } from './lib/service.ts';
import { defaultWallet, tokensPath } from './lib/tokens.ts';

jest.setTimeout(180_000);

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');

/** A block of the README, as it stands. */
function blockOf(name: 'tour' | 'replay'): string {
  return new RegExp(`^\`\`\`bash ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readme)?.[1] ?? '';
}

/** Its steps: each begins with a comment that has its number. */
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
  await defaultWallet();
});
afterAll(cleanUp);

/** What the blocks print, line by line. */
async function run(blocks: string[]): Promise<string[]> {
  // In a folder of its own, as somebody would run it in a fresh checkout.
  const folder = mkdtempSync(join(tmpdir(), 'slipway-tour-'));
  for (const name of ['.slipway', 'node_modules']) symlinkSync(join(projectRoot, name), join(folder, name));
  try {
    const script = ['set -e', `cd ${folder}`, ...blocks].join('\n');
    const { code, stdout, stderr } = await runProgram('bash', ['-c', script]);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the tour of the README moves a token across two chains, and replays what an account did on one of them', async () => {
  const [tour, replay] = [blockOf('tour'), blockOf('replay')];
  // Under ten with `make up` before them.
  expect([countSteps(tour), countSteps(replay)]).toEqual([8, 4]);
  const lines = await run([tour, 'echo the tour is over', replay]);
  expect(lines[lines.indexOf('the tour is over') - 1]).toBe('100');
  expect(lines.at(-1)).toBe('true');
});
