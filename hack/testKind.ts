import { downKindCluster } from './cluster/kind.ts';
import { startEngine } from './kind/engine.ts';
import { ensureNodeImage } from './kind/nodeImage.ts';
import { runProgram } from './lib/program.ts';
import { UserError } from './lib/run.ts';
import { nativeStatus } from './nativeNode/cluster.ts';
import { runSuite } from './suites/jest.ts';
import { summaryLines } from './suites/summary.ts';
import { bringUp } from './up/up.ts';

/** What can differ from the native node: the ingress, volumes, images, policies and the way of a user. */
const tests = ['chart', 'lifecycle', 'tour', 'events'];
const testsAlone = ['transactions', 'manifests'];

/**
 * `node hack/testKind.ts`: the way of a user with kind. `make up` on a new kind cluster, a part of the e2e tests, and all
 * is removed again. Where there is no Docker engine, Debian's is started for it, with a node image that is built here.
 */
async function main(): Promise<void> {
  if (await nativeStatus())
    throw new UserError('The native node uses the same ports: run `make down` first.');
  const engine = await startEngine();
  Object.assign(process.env, engine.env, { CLUSTER: 'kind' });
  try {
    if (engine.isOwn) process.env.KIND_NODE_IMAGE = await ensureNodeImage(engine.env);
    const env = { ...(await bringUp('kind')) };
    const results = [
      await runSuite('e2e', { env, files: tests.map((name) => `e2e/${name}.test.ts`) }),
      await runSuite('alone', { env, files: testsAlone.map((name) => `e2e/${name}.alone.test.ts`) }),
    ];
    for (const line of summaryLines(results)) console.log(line);
    if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
  } finally {
    await downKindCluster();
    await engine.stop();
  }
}

runProgram(main);
