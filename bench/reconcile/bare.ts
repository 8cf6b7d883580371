import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Usage } from '../lib/usage.ts';

/** Starts the bare loop in its own process, like the operator. It prints `begin` and then its usage. */
export function startBareLoop(kubeconfig: string, familiesFile: string, width: number) {
  const script = join(import.meta.dirname, 'bareLoop.ts');
  const child = spawn(process.execPath, [script, kubeconfig, familiesFile, String(width)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const started = Promise.withResolvers<void>();
  const usage = Promise.withResolvers<Usage>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'begin') return started.resolve();
    usage.resolve(JSON.parse(line));
  });
  child.once('exit', (code) => {
    const error = new Error(`the bare loop exited with code ${code}`);
    started.reject(error);
    usage.reject(error);
  });
  return { started: started.promise, usage: usage.promise };
}
