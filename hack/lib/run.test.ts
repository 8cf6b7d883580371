import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, together, tryRun } from './run.ts';

describe('run', () => {
  it('returns only the standard output', async () => {
    await expect(run('sh', ['-c', 'echo out; echo err >&2'])).resolves.toBe('out\n');
  });

  it('passes input and environment to the command', async () => {
    await expect(
      run('sh', ['-c', 'cat; echo $COLOUR'], { input: 'in ', env: { COLOUR: 'red' } }),
    ).resolves.toBe('in red\n');
  });

  it('shows the end of the output, the log and the remedy when a command fails', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-run-'));
    const logFile = join(folder, 'run.log');
    const failing = run('sh', ['-c', 'echo broken pipe >&2; exit 3'], { logFile, remedy: 'try again' });
    await expect(failing).rejects.toThrow(/exit code 3.*broken pipe.*run\.log.*try again/s);
    expect(readFileSync(logFile, 'utf8')).toContain('broken pipe');
    rmSync(folder, { recursive: true });
  });

  it('reports a command that does not exist', async () => {
    const logFile = join(tmpdir(), 'slipway-no-log');
    await expect(run('no-such-command-here', [], { logFile })).rejects.toThrow('command not found');
  });

  it('kills a command that takes too long', async () => {
    await expect(tryRun('sleep', ['30'], { timeoutMs: 50 })).resolves.toMatchObject({ code: 124 });
  });
});

describe('works together', () => {
  it('give both results', async () => {
    expect(await together(Promise.resolve(1), run('echo', ['two']))).toEqual([1, 'two\n']);
  });

  it('end the commands of the others when one fails', async () => {
    const endless = tryRun('sleep', ['600']);
    await expect(together(endless, run('false', []))).rejects.toThrow('exit code 1');
    expect((await endless).output).toContain('terminated by SIGTERM');
  });
});
