import { runProgram } from './lib/program.ts';
import { readClusterAccess } from './up/environment.ts';
import { showKubectl } from './up/kubectl.ts';
import { releaseName, releaseNamespace } from './up/names.ts';

/** `node hack/logs.ts`: prints the last log lines of all service pods; FOLLOW=1 keeps following them. */
async function main(): Promise<void> {
  const { KUBECONFIG } = readClusterAccess();
  const selector = `app.kubernetes.io/instance=${releaseName}`;
  const follow = process.env.FOLLOW ? ['--follow'] : [];
  const options = ['--prefix', '--tail=200', '--all-containers', '--max-log-requests=20', ...follow];
  const code = await showKubectl(KUBECONFIG, ['-n', releaseNamespace, 'logs', '-l', selector, ...options]);
  if (code !== 0) process.exitCode = 1;
}

runProgram(main);
