import { tmpdir } from 'node:os';
import { installCli } from './cli.ts';
import { createForJob, describe } from './network.ts';
import { createRunner } from './runner.ts';

const runner = createRunner(process.env, console.log);
try {
  if (runner.input('install-cli') === 'true') await installCli(runner, process.env.RUNNER_TEMP || tmpdir());
  await createForJob(runner);
} catch (error) {
  runner.error(describe(error));
  process.exitCode = 1;
}
