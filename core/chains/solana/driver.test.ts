import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SolanaSpec } from '../../api/resources/chainSpecs.ts';
import { aSetOf } from '../../engines/testing/engineSets.ts';
import type { PlanInput } from '../driver.ts';
import { planContext } from '../testing/planContext.ts';
import { solana } from './driver.ts';
import { renderStartScript } from './startScript.ts';

const hotAddress = 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z';

function planOf({ spec = {}, ...others }: Partial<PlanInput> & { spec?: SolanaSpec } = {}) {
  const chain = { type: 'Solana', solana: spec } as const;
  return solana.plan({ chain, chainId: 'solana-0a0b0c0d', mnemonicAddresses: [], ...planContext, ...others });
}

const real = { profile: 'real' } as const;

it('plans one validator with a funded account', () => {
  expect(planOf({ spec: real, hotAddress })).toMatchSnapshot();
});

it('plans one light node with a funded account', () => {
  expect(planOf({ hotAddress })).toMatchSnapshot();
  expect(planOf({ spec: { profile: 'light' }, hotAddress })).toEqual(planOf({ hotAddress }));
});

it('lets a light fork read whatever is used', () => {
  const clone = { accounts: ['A'.repeat(32)], programs: [] };
  const { parts, caveats } = planOf({ fork: { blockHeight: 'latest' }, clone });
  expect(parts[0]?.args.slice(-2)).toEqual(['--fork-url', '$(SLIPWAY_FORK_URL)']);
  expect(caveats.join()).toContain('when it is first used, in its latest state');
});

it('copies what the installation names to a fork', () => {
  const clone = { accounts: ['A'.repeat(32)], programs: ['P'.repeat(32), 'Q'.repeat(32)] };
  const { parts, caveats } = planOf({ spec: real, fork: { blockHeight: 'latest' }, clone });
  expect(parts[0]?.args.slice(-8)).toEqual([
    '--url',
    '$(SLIPWAY_FORK_URL)',
    '--clone',
    'A'.repeat(32),
    '--clone-upgradeable-program',
    'P'.repeat(32),
    '--clone-upgradeable-program',
    'Q'.repeat(32),
  ]);
  expect(caveats).toHaveLength(2);
});

const refusalOf = (spec: SolanaSpec) =>
  solana.refuse?.({ type: 'Solana', solana: spec }, aSetOf({ solana: {}, 'solana-dev': {} }));

it('refuses a fork at a past block, and says why', () => {
  for (const profile of ['light', 'real'] as const) {
    expect(refusalOf({ profile, forking: { enabled: true, blockHeight: '5' } })).toEqual([
      {
        path: 'spec.chain.solana.forking.blockHeight',
        message: expect.stringMatching(/current state of accounts.*"latest"/),
      },
    ]);
  }
  expect(refusalOf({ forking: { enabled: false, blockHeight: '5' } })).toEqual([]);
  expect(refusalOf({ forking: { enabled: true } })).toEqual([]);
});

it.each<[string, SolanaSpec, object]>([
  ['the light node', {}, { engine: 'solana-dev', path: 'spec.chain.type' }],
  [
    'the light node by name',
    { profile: 'light' },
    { engine: 'solana-dev', path: 'spec.chain.solana.profile' },
  ],
  [
    'the validator, or can use the other profile',
    real,
    { engine: 'solana', path: 'spec.chain.solana.profile', instead: 'use the profile "light"' },
  ],
])('needs %s', (_case, spec, need) => {
  expect(solana.engines({ type: 'Solana', solana: spec })).toEqual([need]);
});

describe('the script that runs the validator', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-solana-'));
    writeFileSync(join(folder, 'start.sh'), renderStartScript(folder));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function start(program: string, args = ['one argument', '--two']) {
    writeFileSync(join(folder, 'solana-test-validator'), `#!/bin/sh\n${program}`);
    chmodSync(join(folder, 'solana-test-validator'), 0o755);
    const env = { PATH: folder };
    return spawn('/bin/sh', [join(folder, 'start.sh'), ...args], { env });
  }

  it('exits with the validator', async () => {
    const [code] = await once(start('[ "$1" = "one argument" ] && [ "$2" = --two ] && exit 7'), 'exit');
    expect(code).toBe(7);
  });

  it('forks once: on an existing chain the source is not read again', async () => {
    const say = async (...args: string[]) => {
      const script = start('printf "%s," "$@"', args);
      const [text] = await Promise.all([once(script.stdout, 'data'), once(script, 'exit')]);
      return String(text);
    };
    const args = ['--mint', 'A B', '--url', 'http://source', '--clone', 'C'];
    expect(await say(...args)).toBe('--mint,A B,--url,http://source,--clone,C,');
    writeFileSync(join(folder, 'genesis.bin'), '');
    expect(await say(...args)).toBe('--mint,A B,');
  });

  it('forwards the signal, and waits for the validator to exit', async () => {
    const script = start('trap "echo ending; exit 3" TERM; echo ready; while :; do /bin/sleep 0.05; done');
    const said: string[] = [];
    const ended = once(script, 'exit');
    script.stdout.on('data', (text: Buffer) => {
      said.push(...text.toString().trim().split('\n'));
      if (said.includes('ready') && said.length === 1) script.kill('SIGTERM');
    });
    expect((await ended)[0]).toBe(3);
    expect(said).toEqual(['ready', 'ending']);
  });
});
