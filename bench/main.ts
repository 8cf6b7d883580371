import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { stopBuilder } from '../hack/builder/service.ts';

/**
 * `make bench`: runs all benchmarks one after another, or only the named ones. `start`, `creates` and `wake` need the
 * service without a rate limit, and `wake` one that stops many networks a minute: `VALUES=bench/values.yaml make up`. `families`,
 * `plugins` and `real` work with any installation. `lists`, `reconcile`, `fairness`, `submit`, `replay`, `recordings`, `tokens`, `events` and `scale` start their own kube-apiserver;
 * `gateway` starts a node, a gateway and an nginx (`apt-get install nginx-light`), and `forks` nodes and a fork proxy.
 * `console` needs Chromium alone.
 */
const all = [
  'start',
  'wake',
  'creates',
  'families',
  'plugins',
  'gateway',
  'lists',
  'console',
  'reconcile',
  'fairness',
  'submit',
  'replay',
  'recordings',
  'tokens',
  'forks',
  'real',
  'events',
  'scale',
];
if (await stopBuilder()) console.log('the builder of engines has ended; `make up` starts it again');
const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n── ${name}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
