import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * `make bench`: every measurement, one after the other; or those that are named. One key sends all requests, so the
 * service is to be installed without a rate limit: `VALUES=bench/values.yaml make up`.
 */
const all = ['start', 'creates', 'gateway'];
const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n── ${name}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
