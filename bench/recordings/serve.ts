import { startTestApi } from '../../apiserver/testing/harness.ts';
import { createKube } from '../../core/kube/client/client.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { sceneSealer } from '../../core/outbox/testing/scene.ts';
import { startOutboxOperator } from '../../operator/outbox/testing/operator.ts';
import { startRecordingOperator } from '../../operator/recording/testing/operator.ts';
import { startReplayOperator } from '../../operator/replay/testing/operator.ts';
import type { ServeOptions } from '../submit/serve.ts';

/** Runs what records and replays of one of the two processes; the API server prints its URL. */
const options: ServeOptions & { names: Record<string, string> } = JSON.parse(process.argv[2] ?? '{}');
const { addresses, namespace, user } = options;
const kube = createKube({ kubeconfigPath: options.kubeconfig, log: silentLog, clock: systemClock });
const upstreams = { find: (uid: string) => addresses[uid], onChange: () => () => undefined };
if (options.role === 'operator') {
  await startOutboxOperator({ kube, scene: { upstreams }, serviceNamespace: namespace });
  const urls = new Map(Object.entries(options.names));
  await startRecordingOperator(kube, { namespace: user.namespace, urls });
  await startReplayOperator({ kube, scene: { upstreams, user } });
  console.log('running');
} else {
  console.log((await startTestApi({ kube, users: [user], upstreams, sealer: sceneSealer, namespace })).url);
}
