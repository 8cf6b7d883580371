import { eventually } from '../../apiserver/testing/eventually.ts';
import { startTestApi, type TestApi } from '../../apiserver/testing/harness.ts';
import { idempotencyRecordType, outboxType } from '../../core/api/resources/resources.ts';
import { awaitReceipts } from '../../core/evm/receipts.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createMortalKube, type Death } from '../../core/kube/testing/mortalKube.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import {
  type ChainScene,
  createChainScene,
  type SceneNetwork,
  sceneSealer,
} from '../../core/outbox/testing/scene.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { startOutboxOperator } from '../../operator/outbox/testing/operator.ts';
import { openWay } from './testing/cuttable.ts';

/** Replicas of the API server and an operator, on a real kube-apiserver and real nodes. */

const kube = createTestKube();
const systemNamespace = `system-${Math.random().toString(16).slice(2, 10)}`;
const receiver = '0x00000000000000000000000000000000000000aa';

let scene: ChainScene;
let stopOperator: () => Promise<void>;
/** Each replica holds a dozen watches, so finished ones are closed. */
const apis = new Set<TestApi>();

beforeAll(async () => {
  await kube.create(namespaceType, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: systemNamespace },
  });
  scene = await createChainScene(kube);
  stopOperator = await startOutboxOperator({ kube, scene, serviceNamespace: systemNamespace });
});
afterAll(async () => {
  await Promise.all([...apis].map((api) => api.close()));
  await stopOperator();
  await scene.stop();
  await kube.delete(namespaceType, { name: systemNamespace });
  await kube.close();
});

interface Replica {
  api: TestApi;
  /** Stops it, after cutting its connections to the nodes. */
  close(): Promise<void>;
}

/** A replica of the API server; with `death`, it is killed at that write, counted from `arm` on. */
async function startReplica(death?: Death): Promise<Replica & { arm(): void; died: Promise<void> }> {
  const mortal = createMortalKube(kube, death);
  const ways = new Map<string, { host: string; port: number }>();
  const cuts: (() => void)[] = [];
  for (const uid of uids) {
    const place = scene.upstreams.find(uid);
    const way = place && (await openWay(place));
    if (way) ways.set(uid, { host: '127.0.0.1', port: way.port });
    if (way) cuts.push(way.cut);
  }
  const api = await startTestApi({
    kube: mortal.kube as Kube,
    users: [scene.user],
    upstreams: { ...scene.upstreams, find: (uid) => ways.get(uid) },
    sealer: sceneSealer,
    namespace: systemNamespace,
  });
  apis.add(api);
  const kill = () => cuts.forEach((cut) => void cut());
  const close = async () => {
    kill();
    apis.delete(api);
    await api.close();
  };
  void mortal.died.then(kill);
  return { api, close, arm: mortal.arm, died: mortal.died };
}

const uids: string[] = [];
async function addNetwork(name: string): Promise<SceneNetwork> {
  const network = await scene.addNetwork(name);
  uids.push(network.id);
  return network;
}

const item = (value: number) => ({
  from: scene.wallet.address,
  to: receiver,
  value: String(value),
  data: '0x',
});

async function submit(
  api: TestApi,
  network: SceneNetwork,
  values: number[],
  headers: Record<string, string> = {},
) {
  const body = { transactions_by_network: { [network.id]: values.map(item) } };
  const answer = await api.request('/v1alpha1/transaction/submit', { body, headers });
  const hashes: string[] = answer.json?.tx_hashes_by_network?.[network.id] ?? [];
  const retryAfterMs = Number(answer.headers.get('retry-after') ?? 1) * 1000;
  return { status: answer.status, hashes, retryAfterMs };
}

/** As a client does: told that the service is busy, it sends the same request again when it was asked to. */
async function submitPatiently(api: TestApi, network: SceneNetwork, value: number) {
  const headers = { 'idempotency-key': `crowd-${value}` };
  for (;;) {
    const answer = await submit(api, network, [value], headers);
    if (answer.status !== 503) return answer;
    await systemClock.sleep(answer.retryAfterMs);
  }
}

interface Mined {
  hash: string;
  nonce: number;
  value: number;
}

/** All transactions of the account on the chain, in order. */
async function chainOf({ url }: SceneNetwork): Promise<Mined[]> {
  const rpc = createEvmRpc({ url });
  const head = Number(await rpc.call('eth_blockNumber', []));
  const numbers = Array.from({ length: head + 1 }, (_, number) => `0x${number.toString(16)}`);
  const blocks = await rpc.batch(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [number, true] })),
  );
  return blocks.flatMap((outcome) => {
    const { transactions } = ('result' in outcome ? outcome.result : {}) as {
      transactions: { hash: string; nonce: string; value: string }[];
    };
    return transactions.map(({ hash, nonce, value }) => ({
      hash,
      nonce: Number(nonce),
      value: Number(value),
    }));
  });
}

/** Waits until the sender queue of a network is empty. */
async function settled(network: SceneNetwork): Promise<void> {
  const labelSelector = `slipway.dev/network=${network.id},slipway.dev/role=queue`;
  for (;;) {
    const { items } = await kube.list(outboxType, { namespace: scene.user.namespace, labelSelector });
    if (items.every((head) => batchesOf(head).length === 0)) return;
    await systemClock.sleep(100);
  }
}

/** Every value is on the chain once, with the returned hash; nonces start at 0 without a gap. */
async function expectOnce(network: SceneNetwork, answered: Map<number, string>): Promise<void> {
  const chain = await chainOf(network);
  expect(chain.map(({ nonce }) => nonce)).toEqual(chain.map((_, nonce) => nonce));
  const values = chain.map(({ value }) => value).sort((a, b) => a - b);
  expect(values).toEqual([...answered.keys()].sort((a, b) => a - b));
  for (const { hash, value } of chain) expect(hash).toBe(answered.get(value));
}

test('100 concurrent submits over 3 replicas: nonces 0 to 99, each mined once', async () => {
  const network = await addNetwork('crowd');
  const replicas = [await startReplica(), await startReplica(), await startReplica()];
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => submitPatiently(replicas[index % 3]!.api, network, index + 1)),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  const hashes = answers.flatMap((answer) => answer.hashes);
  expect(new Set(hashes).size).toBe(100);
  const receipts = await awaitReceipts(createEvmRpc({ url: network.url }), hashes, { timeoutMs: 120_000 });
  expect(receipts.every((receipt) => receipt?.isSuccess)).toBe(true);
  await expectOnce(network, new Map(hashes.map((hash, index) => [index + 1, hash])));
  await settled(network);
  await Promise.all(replicas.map(({ close }) => close()));
});

type Answer = Pick<Awaited<ReturnType<typeof submit>>, 'status' | 'hashes'>;

/** A killed process answers nothing. */
function untilDead({ died }: { died: Promise<void> }, answer: Promise<Answer>): Promise<Answer> {
  const nothing = died.then(() => ({ status: 0, hashes: [] }));
  return Promise.race([answer.catch(() => nothing), nothing]);
}

/** Releases the record of a request held by a killed replica, which otherwise expires after a minute. */
async function letGo(): Promise<void> {
  // kube-apiserver puts the first list of a kind off on a busy machine.
  const list = () => kube.list(idempotencyRecordType, { namespace: systemNamespace }).catch(() => undefined);
  const records = await eventually(list, (answer) => answer !== undefined);
  for (const record of records?.items ?? []) {
    if (record.spec.answer !== undefined) continue;
    await kube.replace(idempotencyRecordType, {
      ...record,
      spec: { ...record.spec, heldUntil: '2020-01-01T00:00:00Z' },
    });
  }
}

/** Repeats a request that was not answered, or was told to come again, with its key, as a careful client does. */
async function submitAgain(...request: Parameters<typeof submit>): ReturnType<typeof submit> {
  for (;;) {
    await letGo().catch(() => undefined);
    const answer = await submit(...request);
    if (answer.status === 202) return answer;
    expect([409, 503]).toContain(answer.status);
  }
}

describe.each<[string, number]>([
  ['a small batch', 2],
  ['a batch stored in parts', 300],
])('a replica that is killed with %s', (name, size) => {
  test('before and after each of its writes: each transaction is on the chain once, with the hash that a retry returns', async () => {
    const network = await addNetwork(`killed-${size}`);
    const healthy = await startReplica();
    const answered = new Map<number, string>();
    let value = 1;
    const deaths: Death[] = [1, 2, 3, 4].flatMap((at) => [
      { at, when: 'before' as const },
      { at, when: 'after' as const },
    ]);
    for (const death of deaths) {
      const replica = await startReplica(death);
      const values = Array.from({ length: size }, () => value++);
      const headers = { 'Idempotency-Key': `${name}-${death.at}-${death.when}`.replaceAll(' ', '-') };
      replica.arm();
      const first = await untilDead(replica, submit(replica.api, network, values, headers));
      await replica.close();
      const again = await submitAgain(healthy.api, network, values, headers);
      if (first.status === 202) expect(again.hashes).toEqual(first.hashes);
      for (const [index, hash] of again.hashes.entries()) answered.set(values[index]!, hash);
    }
    await settled(network);
    await expectOnce(network, answered);
    await healthy.close();
  });
});

test('replicas are killed one after the other under load: no accepted transaction is lost or mined twice', async () => {
  const network = await addNetwork('massacre');
  const answered = new Map<number, string>();
  let value = 1;
  for (let round = 0; round < 6; round++) {
    const doomed = await startReplica({ at: 1 + (round % 3) * 2, when: round % 2 ? 'after' : 'before' });
    const healthy = await startReplica();
    doomed.arm();
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const own = value++;
        const headers = { 'Idempotency-Key': `massacre-${own}` };
        const by = index % 2 ? doomed : healthy;
        const first = await untilDead(by, submit(by.api, network, [own], headers));
        const answer = first.status === 202 ? first : await submitAgain(healthy.api, network, [own], headers);
        answered.set(own, answer.hashes[0] ?? '');
      }),
    );
    await Promise.all([doomed.close(), healthy.close()]);
  }
  await settled(network);
  await expectOnce(network, answered);
});
