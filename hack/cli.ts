import { join } from 'node:path';
import { projectRoot } from './lib/paths.ts';
import { buildCli } from './up/cli.ts';

/** `node hack/cli.ts`: builds the command line as one file, which runs wherever Node 24 is, and prints its path. */
const outfile = join(projectRoot, 'dist', 'cli', 'slipway');
await buildCli(outfile);
console.log(outfile);
