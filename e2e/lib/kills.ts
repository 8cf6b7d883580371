import { releaseNamespace } from '../../hack/up/names.ts';
import { isReady, podsOf } from './components.ts';
import { killOneOf, operatorLeader } from './processes.ts';

/** Kills a replica of the API server that runs now, or the first one that runs again. */
export async function killReplica(): Promise<void> {
  await killOneOf(releaseNamespace, async () =>
    (await podsOf('apiserver')).filter(isReady).map(({ metadata }) => metadata.name),
  );
}

/** Kills the pod that leads the operator, once it runs: a leader that was killed a moment ago still holds the lease. */
export async function killLeader(): Promise<void> {
  await killOneOf(releaseNamespace, async () => {
    const leader = await operatorLeader(releaseNamespace);
    const ready = (await podsOf('operator')).filter(isReady).map(({ metadata }) => metadata.name);
    return ready.filter((name) => name === leader);
  });
}
