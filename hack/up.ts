import { beginBackgroundBuild } from './background/begin.ts';
import { stopJob } from './background/job.ts';
import { runDemo } from './demo/run.ts';
import { say } from './lib/progress.ts';
import { UserError } from './lib/run.ts';
import { sayConsole } from './up/console.ts';
import { bringUp } from './up/up.ts';

/**
 * `node hack/up.ts [--no-demo]`. CLUSTER selects the cluster; VALUES names a file with additional chart values; ENGINES
 * names the engines to build in the background afterwards: all by default, or `none`.
 */
try {
  await stopJob();
  const environment = await bringUp(process.env.CLUSTER || 'auto');
  say('  wrote .slipway/env, and .slipway/bin/slipway, which is signed in');
  if (!process.argv.includes('--no-demo')) await runDemo(environment);
  await sayConsole(environment);
  await beginBackgroundBuild();
} catch (error) {
  console.error(error instanceof UserError ? `\n${error.message}` : error);
  process.exitCode = 1;
}
