import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * `make bench`: every measurement, one after the other; or those that are named. `start`, `creates` and `wake` need
 * the service, without a rate limit and with an early idle stop: `VALUES=bench/values.yaml make up`; `families` any service.
 * `lists`, `reconcile`, `fairness`, `submit`, `replay` and `tokens` start a kube-apiserver of their own, `gateway` a node
 * and a gateway.
 */
const all = [
  'start',
  'wake',
  'creates',
  'families',
  'gateway',
  'lists',
  'reconcile',
  'fairness',
  'submit',
  'replay',
  'tokens',
];
const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n── ${name}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
