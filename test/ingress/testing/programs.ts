import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { testKubeconfig } from '../../../hack/testenv/testKube.ts';

export interface Controller {
  port: number;
  /** What it printed. */
  output(): string;
  stop(): Promise<void>;
}

interface Program {
  command: string;
  args: string[];
}

/** Starts a program with the kubeconfig of the test environment, and nothing else of this process. */
export function startProgram({ command, args }: Program): Omit<Controller, 'port'> {
  const child: ChildProcess = spawn(command, args, {
    env: { KUBECONFIG: testKubeconfig() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  return {
    output: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
