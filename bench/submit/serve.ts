import { startTestApi } from '../../apiserver/testing/harness.ts';
import { createKube } from '../../core/kube/client/client.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { type ChainScene, sceneSealer } from '../../core/outbox/testing/scene.ts';
import { startOutboxOperator } from '../../operator/outbox/testing/operator.ts';

/** Runs one of the two processes of an installation on a bench scene; the API server prints its URL. */
export interface ServeOptions {
  role: 'apiserver' | 'operator';
  kubeconfig: string;
  namespace: string;
  user: ChainScene['user'];
  /** The addresses of the nodes, by the uid of their network. */
  addresses: Record<string, { host: string; port: number }>;
}

const options: ServeOptions = JSON.parse(process.argv[2] ?? '{}');
const kube = createKube({ kubeconfigPath: options.kubeconfig, log: silentLog, clock: systemClock });
const upstreams = { find: (uid: string) => options.addresses[uid], onChange: () => () => undefined };
if (options.role === 'operator') {
  await startOutboxOperator({ kube, scene: { upstreams }, serviceNamespace: options.namespace });
  console.log('running');
} else {
  const { user, namespace } = options;
  const api = await startTestApi({ kube, users: [user], upstreams, sealer: sceneSealer, namespace });
  console.log(api.url);
}
