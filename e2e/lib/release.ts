import { join } from 'node:path';
import { releaseName, releaseNamespace } from '../../hack/up/names.ts';
import { helm } from './cluster.ts';
import { allPodsOf } from './components.ts';
import { until } from './service.ts';

const chart = join(import.meta.dirname, '..', '..', 'charts', 'slipway');
/** What tests have changed in the cluster becomes what the chart says again. */
const inRelease = ['--force-conflicts', '--wait', '--timeout', '3m', '--namespace', releaseNamespace];

/** Sets chart values of the installed release, such as `a.b=c`, and waits until its pods run with them. */
export async function configure(...values: string[]): Promise<void> {
  const sets = values.flatMap((value) => ['--set', value]);
  await run(['upgrade', releaseName, chart, '--reuse-values', ...inRelease, ...sets]);
  await untilReplaced();
}

/** The revision of the installed release, for `rollBack`. */
export async function readRevision(): Promise<string> {
  const stdout = await run(['status', releaseName, '--namespace', releaseNamespace, '--output', 'json']);
  return String(JSON.parse(stdout).version);
}

/** Takes back what was configured since `revision`. */
export async function rollBack(revision: string): Promise<void> {
  await run(['rollback', releaseName, revision, ...inRelease]);
  await untilReplaced();
}

/** A replica with the former values answers until it has drained, and an ingress may still know it. */
async function untilReplaced(): Promise<void> {
  await until(
    'the former replicas to be gone',
    () => allPodsOf('apiserver'),
    (pods) => pods.every(({ metadata }) => !metadata.deletionTimestamp),
  );
}

async function run(args: string[]): Promise<string> {
  const { code, stdout, stderr } = await helm(args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}
