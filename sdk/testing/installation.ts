import { startTestApi, type TestApi, type TestApiOptions } from '../../apiserver/testing/harness.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { type Client, createClient } from '../src/client.ts';
import { createInstantRuntime } from './manualRuntime.ts';

/** The real API server, with an operator that starts no engines: every network becomes what `outcome` says. */
export interface TestInstallation {
  api: TestApi;
  apiKey: string;
  client: Client;
  stop(): Promise<void>;
}

export type Outcome = NonNullable<NetworkResource['status']>;

const operational: Outcome = {
  state: 'Operational',
  message: 'running',
  chainID: '31337',
  endpoints: { rpc: 'http://gateway/rpc/n/key/rpc', ws: 'ws://gateway/rpc/n/key/ws' },
  adminServices: ['admin', 'admin-ws'],
  accessKeys: { public: { epoch: 0, observedNonce: 0 }, admin: { epoch: 0, observedNonce: 0 } },
};

/** The user of `apiKey` has the first workspace of `users`. */
export async function startInstallation(
  options: TestApiOptions & { outcome?: Outcome },
): Promise<TestInstallation> {
  const { outcome = operational, kube, users } = options;
  const [user] = users;
  if (!user) throw new Error('an installation needs a user');
  const api = await startTestApi(options);
  const controller = new AbortController();
  const operator = operate(kube, user.namespace, { outcome, signal: controller.signal });
  const apiKey = `${user.userId}.secret-of-${user.userId}`;
  return {
    api,
    apiKey,
    client: createClient({ url: api.url, apiKey, runtime: createInstantRuntime() }),
    async stop() {
      controller.abort();
      await operator;
      await api.close();
    },
  };
}

/** Writes the outcome into the status of each network that appears. */
async function operate(
  kube: Kube,
  namespace: string,
  { outcome, signal }: { outcome: Outcome; signal: AbortSignal },
): Promise<void> {
  const { resourceVersion } = await kube.list(networkType, { namespace });
  try {
    for await (const event of kube.watch(networkType, { namespace, resourceVersion, signal })) {
      if (event.type === 'ADDED') await complete(kube, event.object, outcome);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function complete(kube: Kube, { metadata }: Stored<NetworkResource>, outcome: Outcome): Promise<void> {
  const { namespace, name } = metadata;
  await kube.patch(networkType, { namespace: namespace ?? '', name }, { status: outcome }, 'status');
}
