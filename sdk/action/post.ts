import { describe, removeForJob } from './network.ts';
import { createRunner } from './runner.ts';

const runner = createRunner(process.env, console.log);
try {
  await removeForJob(runner);
} catch (error) {
  runner.error(describe(error));
  process.exitCode = 1;
}
