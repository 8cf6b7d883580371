import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isAlive } from '../lib/processes.ts';
import { enginesToBuild } from './begin.ts';
import { describeJob } from './describe.ts';
import { type JobState, readJob, stopJob, writeJob } from './job.ts';

const self = identify(process.pid);
if (!self) throw new Error('this process does not exist');
const job: JobState = { process: self, waiting: ['solana'], built: ['geth'], failed: {} };

describe('the engines to build after the demo', () => {
  it('are those that are not in the cache', () => {
    const names = enginesToBuild(undefined, ['geth', 'prysm']);
    expect(names).toContain('solana');
    expect(names).not.toContain('geth');
  });

  it('end with the one that takes longest', () => {
    expect(enginesToBuild(undefined, []).at(-1)).toBe('solana');
  });

  it('are only those without a published image where images can be pulled', () => {
    const names = enginesToBuild(undefined, ['graph'], true);
    expect(names).toEqual(['ethereum-genesis', 'solana-dev', 'drand', 'op-sequencer', 'avalanchego']);
    expect(enginesToBuild('geth', [], true)).toEqual(['geth']);
  });

  it.each([
    ['none', []],
    ['thornode', ['thornode']],
    ['solana,geth thornode', ['thornode', 'solana']],
  ])('with ENGINES=%s are %j', (wanted, names) => {
    expect(enginesToBuild(wanted, ['geth'])).toEqual(names);
  });
});

describe('the background build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-background-'));
  const path = join(folder, 'job.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('ends with everything that it started', async () => {
    const child = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    const grandchild = identify(Number(line));
    const group = child.pid === undefined ? undefined : identify(child.pid);
    if (!grandchild || !group) throw new Error('the processes have ended too early');
    const closed = once(child, 'close');
    writeJob({ ...job, process: group }, path);
    expect(readJob(path)).toMatchObject({ isRunning: true });
    expect(await stopJob(path)).toBe(true);
    await closed;
    expect(isAlive(grandchild)).toBe(false);
    expect(await stopJob(path)).toBe(false);
  });

  it('tells what it builds, what comes next and what is done', () => {
    const since = new Date(1000).toISOString();
    const running = { ...job, isRunning: true, building: { engine: 'thornode', since } };
    expect(describeJob(running, 61_000)).toEqual([
      'building: thornode, for 1 min 0 s',
      'to build: solana',
      'built: geth',
      expect.stringMatching(/^log: .*background\.log$/),
    ]);
  });

  it('that was interrupted tells how to go on', () => {
    const since = new Date(1000).toISOString();
    const killed = { ...job, isRunning: false, building: { engine: 'thornode', since } };
    expect(describeJob(killed, 61_000)[0]).toBe('not built, run `make up` again: thornode, solana');
  });

  it('names the reason of an engine that could not be built', () => {
    const failed = { solana: 'Building solana needs Rust: install it\ndetails' };
    const lines = describeJob({ ...job, waiting: [], isRunning: false, failed }, 0);
    expect(lines).toContain('failed: solana: Building solana needs Rust: install it');
  });
});
