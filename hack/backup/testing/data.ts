import {
  type AccountsApi,
  accountsApiOver,
  admin,
  type Person,
} from '../../../apiserver/testing/accountsApi.ts';
import { networkType, outboxType, secretType, webhookType } from '../../../core/api/resources/resources.ts';
import type { KubeClient } from '../../../core/kube/client/client.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { chainMembersOf } from '../../../core/networks/chainChange.ts';
import { batchesOf } from '../../../core/outbox/batches.ts';
import { type ChainScene, sceneSealer } from '../../../core/outbox/testing/scene.ts';
import { newSecretObject } from '../../../core/webhooks/signingSecrets.ts';
import { startOutboxOperator } from '../../../operator/outbox/testing/operator.ts';
import { startRecordingOperator } from '../../../operator/recording/testing/operator.ts';
import { home, system } from './installation.ts';

const transactions = '/transaction/v1alpha1/transaction';
const receiver = `0x${'7e'.repeat(20)}`;

export const createNetwork = (api: AccountsApi<KubeClient>, person: Person) =>
  api.ask(person.token, '/v1alpha/networks', {
    body: {
      name: 'by-rest',
      spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot' } } } },
    },
    headers: { 'Idempotency-Key': 'one' },
  });
/** The service, as users reach it. */
export const apiOver = (kube: KubeClient, scene: ChainScene) =>
  accountsApiOver(kube, {
    ...{ users: [scene.user], upstreams: scene.upstreams, sealer: sceneSealer, namespace: system },
  });

async function settled(kube: KubeClient): Promise<void> {
  const selector = { labelSelector: 'slipway.dev/role=queue' };
  while ((await kube.list(outboxType, selector)).items.some((queue) => batchesOf(queue).length > 0)) {
    await systemClock.sleep(50);
  }
}

/** A status as the operator writes it once a chain runs. */
async function runChain(
  kube: KubeClient,
  { name, namespace }: { name: string; namespace: string },
  storage: string,
) {
  const network = await kube.get(networkType, { name, namespace });
  if (!network) throw new Error(`no network ${name}`);
  const begun = { number: 0, revision: 0, startedAt: '2026-01-01T00:00:00Z', profile: 'light' };
  const status = {
    ...{ state: 'Operational', enclaveID: 'former', chainID: '1200000001', ...network.status, storage },
    ...{
      observedGeneration: network.metadata.generation,
      incarnation: { ...begun, members: chainMembersOf(network.spec) },
    },
  };
  return kube.patch(networkType, network.metadata, { status }, 'status');
}

/** Fills an installation over REST, with its operators and on real chains; nothing of them runs afterwards. */
export async function makeData(from: KubeClient, scene: ChainScene) {
  const outbox = await startOutboxOperator({ kube: from, scene, serviceNamespace: system });
  const alpha = await scene.addNetwork('alpha');
  const urls = new Map([['alpha', alpha.url]]);
  const recorder = await startRecordingOperator(from, { namespace: scene.user.namespace, urls });
  const before = await apiOver(from, scene);
  const ann = await before.join('ann@example.com', 'developer');
  const plain = Buffer.alloc(32, 9).toString('base64');
  const secret = await before.post(ann.token, '/v1alpha/secrets', {
    name: 'hot',
    type: 'private-key',
    data: plain,
  });
  await before.post(admin, '/workspaces/default/invitations', { email: 'later@example.com', role: 'viewer' });
  const network = await createNetwork(before, ann);
  const post = async (path: string, body: object) => {
    const answer = await before.api.request(`${transactions}${path}`, {
      body,
      headers: { 'Idempotency-Key': path },
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.json;
  };
  const start = { userAddress: scene.wallet.address, networkIds: [alpha.id] };
  const { recordingId } = await post('/recording/start', start);
  const item = { from: scene.wallet.address, to: receiver, data: '0x' };
  const items = [1, 2, 3].map((value) => ({ ...item, value: String(value) }));
  const sent = await post('/submit', { transactions_by_network: { [alpha.id]: items } });
  await settled(from);
  await post('/recording/stop', { recordingId });
  const deployment = { network_id: alpha.id, args: { total_supply: '1000000' } };
  await post('/token/erc20/deploy', { name: 'Example', symbol: 'EXM', deployments: [deployment] });
  await makeWebhook(from);
  await runChain(from, { name: 'alpha', namespace: scene.user.namespace }, 'Pod');
  await runChain(from, { name: 'by-rest', namespace: home }, 'Volume');
  const { json: document } = await before.api.request(`${transactions}/recording/${recordingId}/document`);
  await before.api.close();
  await recorder.stop();
  await outbox();
  return {
    ...{ alpha, ann, secret: String(secret.id), recording: String(recordingId), document },
    network: { status: network.status, id: String(network.json.id) },
    hashes: sent.tx_hashes_by_network[alpha.id] as string[],
  };
}

export type MadeData = Awaited<ReturnType<typeof makeData>>;

/** As with kubectl: its signing secret has a name that follows from its uid. */
async function makeWebhook(from: KubeClient): Promise<void> {
  const webhook = await from.create(webhookType, {
    ...{ apiVersion: 'slipway.dev/v1alpha1', kind: 'Webhook' },
    metadata: { name: 'hook', namespace: home },
    spec: { url: 'https://example.com/hook' },
  });
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  await from.create(
    secretType,
    newSecretObject(sceneSealer, webhook, { name: `webhook-${webhook.metadata.uid}`, secret }),
  );
}
