import { buildAhead } from './builder/ahead.ts';
import { stopFormerJob } from './builder/formerJob.ts';
import { findLocalCluster } from './builder/local.ts';
import { startBuilder, stopBuilder } from './builder/service.ts';
import { runDemo } from './demo/run.ts';
import { runProgram } from './lib/program.ts';
import { say } from './lib/progress.ts';
import { createStages } from './lib/stages.ts';
import { sayConsole } from './up/console.ts';
import { readForeignCluster } from './up/foreign.ts';
import { namedEngines } from './up/heavyEngines.ts';
import { bringUp, installation } from './up/up.ts';

/**
 * `node hack/up.ts [--no-demo]`. CLUSTER selects the cluster; VALUES names a file with additional chart values; ENGINES
 * names engines to build at once, and `none` leaves no builder on this machine.
 */
async function main(): Promise<void> {
  const ahead = namedEngines(process.env.ENGINES);
  await stopFormerJob();
  const hasDemo = !process.argv.includes('--no-demo');
  const stages = createStages([...installation, ...(hasDemo ? ['the demo'] : [])]);
  const environment = await bringUp(process.env.CLUSTER || 'auto', stages);
  say('  wrote .slipway/env, and .slipway/bin/slipway, which is signed in');
  if (hasDemo) {
    stages.next();
    await runDemo(environment);
  }
  await sayConsole(environment);
  if (ahead === 'none') return stopAndSay();
  if (ahead.length > 0) await buildAhead(ahead);
  await leaveBuilder();
}

async function stopAndSay(): Promise<void> {
  if (await stopBuilder()) say('  the builder of engines has ended');
}

/** Not for one's own cluster: it pulls engines from a registry. */
async function leaveBuilder(): Promise<void> {
  const cluster = readForeignCluster() ? undefined : await findLocalCluster();
  if (!cluster) return stopAndSay();
  const outcome = await startBuilder(cluster.kind);
  if (outcome === 'runs already') return;
  say('  engines are built when the first network wants them; `make status` shows the builder');
}

runProgram(main);
