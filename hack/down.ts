import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stopBuilder } from './builder/service.ts';
import { downCluster } from './cluster/ensure.ts';
import { projectRoot } from './lib/paths.ts';
import { runProgram } from './lib/program.ts';
import { say, step } from './lib/progress.ts';
import { readForeignCluster } from './up/foreign.ts';
import { removeRelease } from './up/remove.ts';
import { linkTools } from './up/tools.ts';

/** `node hack/down.ts`: removes what `make up` started: its own cluster, or the service from the user's cluster. */
async function main(): Promise<void> {
  if (await stopBuilder()) say('  the builder of engines has ended');
  const kubeconfig = readForeignCluster();
  if (kubeconfig) {
    const tools = { ...(await linkTools()), kubeconfig };
    await step('removing the service, its networks and its data from your cluster', () =>
      removeRelease(tools),
    );
  } else {
    await downCluster();
  }
  rmSync(join(projectRoot, '.slipway'), { recursive: true, force: true });
  say('  .slipway removed');
}

runProgram(main);
