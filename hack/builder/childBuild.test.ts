import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isAlive } from '../lib/processes.ts';
import { buildInChild } from './childBuild.ts';
import { stopFormerJob } from './formerJob.ts';
import { readBuilderState, writeBuilderState } from './state.ts';

const entry = { state: 'Available', image: 'geth:1', pullPolicy: 'IfNotPresent', source: 'abc' };

describe('a build in a process of its own', () => {
  let folder: string;
  const cache = process.env.XDG_CACHE_HOME;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-child-'));
    process.env.XDG_CACHE_HOME = folder;
    writeBuilderState({ kind: 'kind', sources: folder });
  });
  afterEach(() => {
    if (cache === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = cache;
    rmSync(folder, { recursive: true });
  });

  const never = new AbortController().signal;
  function build(text: string, signal = never) {
    const script = join(folder, 'script.mjs');
    writeFileSync(script, text);
    return buildInChild(['native', 'geth'], signal, script);
  }
  const send = (answer: unknown) => `process.send(${JSON.stringify(answer)}, () => process.exit());`;

  it('answers with the entry of the image', async () => {
    expect(await build(send({ entry }))).toEqual(entry);
  });

  it.each([
    ['says why it failed', send({ error: 'no Rust' }), 'no Rust'],
    ['ended', 'process.exit(1);', 'the build ended without an answer'],
    ['answers something else', send({ entry: { state: 'Perfect' } }), 'the build answered something else'],
  ])('that %s has failed', async (_reason, text, message) => {
    await expect(build(text)).rejects.toThrow(message);
  });

  it('ends with everything that it started', async () => {
    const stop = new AbortController();
    const building = build(
      `import { spawn } from 'node:child_process';
       import { writeFileSync } from 'node:fs';
       const { pid } = spawn('sleep', ['600']);
       writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(pid));
       process.on('SIGTERM', () => {});
       setInterval(() => {}, 1000);`,
      stop.signal,
    );
    building.catch(() => undefined);
    const started = await pidIn(join(folder, 'pid'));
    const group = readBuilderState()?.build;
    stop.abort();
    await expect(building).rejects.toThrow('ended without an answer');
    expect(started && isAlive(started)).toBe(false);
    expect(group && isAlive(group)).toBe(false);
    expect(readBuilderState()?.build).toBeUndefined();
  });
});

it('the build of all engines that version 0.3 left behind ends, with all that it started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-former-'));
  const path = join(folder, 'background.json');
  const child = spawn('sh', ['-c', 'sleep 600 & wait'], { detached: true, stdio: 'ignore' });
  const job = child.pid === undefined ? undefined : identify(child.pid);
  writeFileSync(path, JSON.stringify({ process: job, waiting: ['geth'], built: [], failed: {} }));
  const closed = once(child, 'close');
  await stopFormerJob(path);
  await closed;
  await stopFormerJob(path);
  expect(existsSync(path)).toBe(false);
  rmSync(folder, { recursive: true });
});

async function pidIn(path: string) {
  for (;;) {
    try {
      const pid = Number(readFileSync(path, 'utf8'));
      if (pid > 0) return identify(pid);
    } catch {
      // Not written yet.
    }
    await delay(10);
  }
}
