import { runDemo } from './demo/run.ts';
import { say } from './lib/progress.ts';
import { UserError } from './lib/run.ts';
import { bringUp } from './up/up.ts';

/** `node hack/up.ts [--no-demo]`; CLUSTER chooses the cluster, VALUES names a file of further chart values. */
try {
  const environment = await bringUp(process.env.CLUSTER || 'auto');
  say(`  .slipway/env written`);
  if (!process.argv.includes('--no-demo')) await runDemo(environment);
} catch (error) {
  console.error(error instanceof UserError ? `\n${error.message}` : error);
  process.exitCode = 1;
}
