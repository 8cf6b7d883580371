import { spawn } from 'node:child_process';
import { linkTools } from './tools.ts';

/** Runs kubectl with its output shown to the user and returns its exit code. */
export async function showKubectl(kubeconfig: string, args: string[]): Promise<number> {
  const { kubectl } = await linkTools();
  const child = spawn(kubectl, args, {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', reject);
  child.once('close', (code) => resolve(code ?? 128));
  return promise;
}
