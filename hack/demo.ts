import { runDemo } from './demo/run.ts';
import { UserError } from './lib/run.ts';
import { readEnvironment } from './up/environment.ts';

/** `node hack/demo.ts`: runs only the demo, on the service that `make up` installed. */
try {
  await runDemo(readEnvironment());
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
