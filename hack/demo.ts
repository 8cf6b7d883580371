import { runDemo } from './demo/run.ts';
import { runProgram } from './lib/program.ts';
import { readEnvironment } from './up/environment.ts';

/** `node hack/demo.ts`: runs only the demo, on the service that `make up` installed. */
runProgram(async () => runDemo(readEnvironment()));
