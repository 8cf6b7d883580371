import type { ChildProcess } from 'node:child_process';

/** Kills a process without warning and resolves when it has ended; one that has ended already is left alone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.kill('SIGKILL');
  await closed;
}
