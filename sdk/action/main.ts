import { createForJob, describe } from './network.ts';
import { createRunner } from './runner.ts';

const runner = createRunner(process.env, console.log);
try {
  await createForJob(runner);
} catch (error) {
  runner.error(describe(error));
  process.exitCode = 1;
}
