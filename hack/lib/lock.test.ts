import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withLock } from './lock.ts';
import { identify } from './processes.ts';

describe('withLock', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-lock-'));
    path = join(folder, 'deep', 'lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('allows one holder at a time and leaves no file behind', async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await delay(5);
      inside -= 1;
    };
    await Promise.all([withLock({ path, purpose: 'one' }, work)]);
    await withLock({ path, purpose: 'two' }, work);
    expect(most).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it('takes over the lock of a process that has died', async () => {
    await withLock({ path, purpose: 'make the folder' }, async () => undefined);
    writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, startTicks: '1', purpose: 'up' }));
    await expect(withLock({ path, purpose: 'next' }, async () => 'in')).resolves.toBe('in');
  });

  it('takes over when the PID of the dead process was reused', async () => {
    await withLock({ path, purpose: 'make the folder' }, async () => undefined);
    writeFileSync(path, JSON.stringify({ pid: process.pid, startTicks: '1', purpose: 'up' }));
    await expect(withLock({ path, purpose: 'next' }, async () => 'in')).resolves.toBe('in');
  });

  it('takes over a lock that names nobody, as one may be after a power failure', async () => {
    await withLock({ path, purpose: 'make the folder' }, async () => undefined);
    writeFileSync(path, '');
    await expect(withLock({ path, purpose: 'next' }, async () => 'in')).resolves.toBe('in');
  });

  it('waits for a living holder and reports which one', async () => {
    await withLock({ path, purpose: 'make the folder' }, async () => undefined);
    writeFileSync(path, JSON.stringify({ ...identify(process.ppid), purpose: 'down' }));
    setTimeout(() => rmSync(path), 50);
    const waitedFor: string[] = [];
    const onWait = (holder: string) => waitedFor.push(holder);
    await withLock({ path, purpose: 'next', onWait }, async () => undefined);
    expect(waitedFor).toEqual([`process ${process.ppid} (down)`]);
  });

  it('releases the lock when the work fails', async () => {
    await expect(withLock({ path, purpose: 'bad' }, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    expect(existsSync(path)).toBe(false);
  });
});
