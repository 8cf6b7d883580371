import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceNamespace } from '../../hack/up/names.ts';
import { kubeconfig } from './service.ts';

const run = promisify(execFile);
const bin = join(import.meta.dirname, '..', '..', '.slipway', 'bin');
const environment = { ...process.env, KUBECONFIG: kubeconfig };
export const namespace = workspaceNamespace;

export interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program with the cluster's kubeconfig; a failure is returned, not thrown. */
export async function runProgram(program: string, args: string[], input = ''): Promise<Output> {
  const child = run(program, args, { env: environment, maxBuffer: 32 * 1024 * 1024 });
  // A program that ends without reading its input closes the pipe.
  child.child.stdin?.on('error', () => undefined).end(input);
  try {
    const { stdout, stderr } = await child;
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code = 1, stdout = '', stderr = String(error) } = error as Partial<Output>;
    return { code: Number(code) || 1, stdout, stderr };
  }
}

/** Runs kubectl in the workspace's namespace. */
export function kubectl(args: string[], input?: string): Promise<Output> {
  return runProgram(join(bin, 'kubectl'), ['--namespace', namespace, ...args], input);
}

export function helm(args: string[]): Promise<Output> {
  return runProgram(join(bin, 'helm'), args);
}

/** Runs `kubectl get` and parses the JSON. */
// biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing member fails with a clear message
export async function getJson(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await kubectl(['get', ...args, '--output', 'json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
