import { Interface, MaxUint256 } from 'ethers';
import { startTestApi, type TestApi } from '../../../apiserver/testing/harness.ts';
import type { Permission } from '../../../core/api/access/permissions.ts';
import { outboxType } from '../../../core/api/resources/resources.ts';
import type { ReplayDocument } from '../../../core/api/rest/replay.ts';
import type { TransactionItem } from '../../../core/api/rest/transaction.ts';
import { awaitReceipts } from '../../../core/evm/receipts.ts';
import { createEvmRpc } from '../../../core/evm/rpc.ts';
import { artifact, creationOf } from '../../../core/evm/testing/contracts.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { createChainScene, type SceneNetwork, sceneSealer } from '../../../core/outbox/testing/scene.ts';
import { startRecordingOperator } from '../../../operator/recording/testing/operator.ts';
import { startReplayOperator } from '../../../operator/replay/testing/operator.ts';

const base = '/transaction/v1alpha1/transaction';
export const stranger = `0x${'7e'.repeat(20)}`;
const erc20 = new Interface(artifact('Token').abi);

/**
 * The API and the parts of an operator that record and replay, over a fake Kube, with a network `source` on which a wallet deployed
 * and used a token, recorded over REST. `vic` is a viewer, `ben` is in another workspace, and the key
 * of `rec` is for recordings alone. Without `hasReplays`, a test runs what performs replays by itself.
 */
export async function startReplayScene({ hasReplays = true } = {}) {
  const kube = createFakeKube();
  const scene = await createChainScene(kube);
  const { userId, namespace, workspaceId } = scene.user;
  const urls = new Map<string, string>();
  const ben = { userId: 'ben', workspaceId: 'two', namespace: 'ws-two' };
  const vic = { workspaceId, namespace, userId: 'vic', role: 'viewer' as const };
  const rec = {
    workspaceId,
    namespace,
    userId: 'rec',
    permissions: ['recordings:read', 'recordings:write'] as Permission[],
  };
  const users = [{ userId, namespace, workspaceId }, ben, vic, rec];
  const api = await startTestApi({ kube, users, upstreams: scene.upstreams, sealer: sceneSealer });
  const operator = await startRecordingOperator(kube, { namespace, urls });
  const stopReplays = hasReplays ? await startReplayOperator({ kube, scene }) : undefined;
  const addNetwork = async (name: string): Promise<SceneNetwork> => {
    const network = await scene.addNetwork(name);
    urls.set(name, network.url);
    return network;
  };
  const source = await addNetwork('source');
  const { address } = scene.wallet;
  const recordingId = await recordToken(api, { from: address, on: source });
  return {
    kube,
    scene,
    api,
    source,
    addNetwork,
    recordingId,
    submit: (on: SceneNetwork, items: Partial<TransactionItem>[]) =>
      api.request(`${base}/submit`, {
        body: {
          transactions_by_network: {
            [on.id]: items.map((item) => ({ from: address, value: '0', data: '0x', ...item })),
          },
        },
      }),
    replay: (body: object, options: object = {}) =>
      api.request(`${base}/recording/replay`, { body, ...options }),
    documentOf: async (): Promise<ReplayDocument> =>
      (await api.request(`${base}/recording/${recordingId}/document`)).json,
    recordingOf: async () => (await api.request(`${base}/recording/${recordingId}`)).json,
    async balanceOf({ url }: SceneNetwork, token: string, account: string) {
      const data = erc20.encodeFunctionData('balanceOf', [account]);
      return BigInt(String(await createEvmRpc({ url }).call('eth_call', [{ to: token, data }, 'latest'])));
    },
    /** Resolves when at least `count` transactions of the wallet have been accepted. */
    async accepted({ id }: SceneNetwork, count: number): Promise<void> {
      const isThere = async () => {
        const { items } = await kube.list(outboxType, {});
        return items.some(({ spec }) => spec.networkID === id && (spec.next ?? 0) >= count);
      };
      while (!(await isThere())) await systemClock.sleep(20);
    },
    /** The number of transactions of the wallet. */
    countOn: async ({ url }: SceneNetwork) =>
      Number(await createEvmRpc({ url }).call('eth_getTransactionCount', [address, 'pending'])),
    async stop() {
      await stopReplays?.();
      await operator.stop();
      await api.close();
      await scene.stop();
    },
  };
}
export type ReplayScene = Awaited<ReturnType<typeof startReplayScene>>;

/** Deploys and uses a token over REST: four transactions, the third of which reverts. */
async function recordToken(api: TestApi, { from, on }: { from: string; on: SceneNetwork }): Promise<string> {
  const post = (path: string, body: object) => api.request(`${base}${path}`, { body });
  const submit = async (items: Partial<TransactionItem>[]) => {
    const whole = items.map((item) => ({ from, value: '0', data: '0x', ...item }));
    const { json } = await post('/submit', { transactions_by_network: { [on.id]: whole } });
    const hashes: string[] = json.tx_hashes_by_network[on.id];
    return awaitReceipts(createEvmRpc({ url: on.url }), hashes, { timeoutMs: 120_000 });
  };
  const started = await post('/recording/start', { userAddress: from, networkIds: [on.id] });
  expect([started.status, started.json.message]).toEqual([201, 'recording']);
  const [created] = await submit([{ data: await creationOf('Token', ['T', 'T', 1000n, from]) }]);
  const to = created?.contract ?? '';
  const give = erc20.encodeFunctionData('transfer', [stranger, 5n]);
  const tooMuch = erc20.encodeFunctionData('transfer', [stranger, MaxUint256]);
  await submit([
    { to, data: give },
    { to, data: tooMuch, gas_limit: 90_000 },
    { to: stranger, value: '7' },
  ]);
  const { recordingId } = started.json;
  const stopped = await post('/recording/stop', { recordingId });
  expect([stopped.status, stopped.json.state]).toEqual([200, 'recorded']);
  return recordingId;
}
