import { hostname, setPriority } from 'node:os';
import { engineObjects } from '../../core/api/names.ts';
import { createReflector } from '../../core/kube/cache/reflector.ts';
import { createKube } from '../../core/kube/client/client.ts';
import { createLeaderElector } from '../../core/kube/leader/lease.ts';
import { configMapType } from '../../core/kube/types.ts';
import { parseRfc3339, systemClock } from '../../core/lib/clock.ts';
import { createLog } from '../../core/lib/log.ts';
import { stopRequested } from '../../core/lib/process.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import { releaseNamespace } from '../up/names.ts';
import { createBuilder } from './builder.ts';
import { buildInChild } from './childBuild.ts';
import { sourceOf } from './entries.ts';
import { type LocalKind, localCluster } from './local.ts';
import { publish, readPublished } from './object.ts';
import { offersOfMachine } from './offers.ts';

/** The service looks for a renewed Lease for a minute, so an idle builder does next to nothing. */
const lease = { leaseDurationMs: 60_000, renewDeadlineMs: 45_000, retryPeriodMs: 15_000 };
/** Whoever stops the builder waits for two seconds. */
const lastMs = 1_500;

/** `node hack/builder/main.ts native|kind`: builds engines for the cluster of this machine when networks want them. */
async function main(kind: LocalKind): Promise<void> {
  const stopping = stopRequested();
  // Before anything is started that would inherit another one.
  setPriority(19);
  const [clock, log] = [systemClock, createLog('builder')];
  const kube = createKube({ kubeconfigPath: localCluster(kind).kubeconfig, log, clock });
  const namespace = releaseNamespace;
  const watched = { kube, type: configMapType, namespace, clock, log };
  const wanted = createReflector({ ...watched, name: engineObjects.wanted });
  const available = createReflector({ ...watched, name: engineObjects.available });
  const offers = await offersOfMachine();
  log.info('started', { kind, offers: [...offers.keys()].join(' ') });
  const builder = createBuilder({
    offers,
    wanted: () => sincesIn(wanted.list()[0]?.data),
    onChange: (listener) => stopAll([wanted.onChange(listener), available.onChange(listener)]),
    read: () => readPublished(kube),
    publish: (entries) => publish(kube, entries),
    isOutdated: (engine, { source }) => source !== undefined && source !== sourceOf(engine),
    build: (engine, signal) => buildInChild([kind, engine], signal),
    clock,
    log,
  });
  const elector = createLeaderElector({
    kube,
    namespace,
    name: engineObjects.builder,
    identity: hostname(),
    clock,
    log,
    ...lease,
    async onStarted(signal) {
      await wanted.whenSynced();
      await builder.run(signal);
    },
    onStopped: () => undefined,
  });
  for (const cache of [wanted, available]) cache.start();
  elector.start();
  await stopping;
  await Promise.race([elector.stop(), clock.sleep(lastMs)]);
}

function sincesIn(data: Readonly<Record<string, string>> = {}): Map<string, number> {
  const found = Object.entries(data).map(([name, since]): [string, number] => [
    name,
    parseRfc3339(since) ?? 0,
  ]);
  return new Map(found);
}

main(process.argv[2] === 'kind' ? 'kind' : 'native').then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
