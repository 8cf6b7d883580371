import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../hack/lib/paths.ts';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs one of our programs as its users do, in this process's environment and `env`. */
export function runProgram(
  file: string,
  args: string[],
  env: Record<string, string | undefined>,
): Promise<Ended> {
  const child = spawn(process.execPath, [join(projectRoot, file), ...args], {
    // The flags of the test runner are not for it.
    env: { ...process.env, NODE_OPTIONS: undefined, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
