import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { run } from '../lib/run.ts';

const c8 = join(projectRoot, 'node_modules', 'c8', 'bin', 'c8.js');

/** Prints how much of the production code ran, from what Node wrote into the folder of NODE_V8_COVERAGE. */
export async function printCoverage(folder: string): Promise<void> {
  const args = [
    c8,
    'report',
    `--temp-directory=${folder}`,
    '--reporter=text-summary',
    '--include={core,operator,apiserver,admission,forks,features,sdk,cli,mcp}/**/*.ts',
    '--exclude=**/*.test.ts',
    '--exclude=**/testing/**',
  ];
  console.log(await run(process.execPath, args, { cwd: projectRoot }));
}
