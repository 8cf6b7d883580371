import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { callRpc } from '../../core/chains/evm/testing/startAnvil.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { marksOf } from '../../core/outbox/marks.ts';
import { hashesIn } from '../../core/outbox/packedTransactions.ts';
import { falsehoodsOf, type Item } from '../../core/outbox/testing/falsehoods.ts';
import { getJson, kubectl, namespace } from '../lib/cluster.ts';
import { killLeader, killReplica } from '../lib/kills.ts';
import { endpointsOf, reach, remove } from '../lib/networks.ts';
import { killOneOf } from '../lib/processes.ts';
import { type Answer, call, freshName, until } from '../lib/service.ts';
import { freshAddress, submissionsPath, submitPath } from './bed.ts';

const paths = ['http', 'webSocket', 'batch'] as const;
type Path = (typeof paths)[number];

/** What may happen to a network, its chain and the service, with what it takes. */
interface Happenings {
  submit: { count: number; key: number | undefined };
  revert: { which: number; by: Path };
  rollback: { blocks: number; by: Path };
  pause: { ms: number };
  snapshot: unknown;
  mine: unknown;
  restart: unknown;
  killEngine: unknown;
  replacePod: unknown;
  stopAndWake: unknown;
  killOperator: unknown;
  killReplica: unknown;
}

export type Step = { [Name in keyof Happenings]: { do: Name } & Happenings[Name] }[keyof Happenings];

const named = <Name extends keyof Happenings>(name: Name) => fc.record({ do: fc.constant(name) });
const by = fc.constantFrom(...paths);
const key = fc.option(fc.nat(2), { nil: undefined });

/** Steps that a test suite, its machine and an administrator may take, in any order. */
export const someSteps = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('submit' as const),
        count: fc.integer({ min: 1, max: 3 }),
        key,
      }),
    },
    { weight: 4, arbitrary: named('snapshot') },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('revert' as const), which: fc.nat(9), by }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('rollback' as const),
        blocks: fc.integer({ min: 1, max: 2 }),
        by,
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), ms: fc.nat(2_000) }) },
    { weight: 1, arbitrary: named('mine') },
    { weight: 1, arbitrary: named('restart') },
    { weight: 1, arbitrary: named('killEngine') },
    { weight: 1, arbitrary: named('replacePod') },
    { weight: 1, arbitrary: named('stopAndWake') },
    { weight: 1, arbitrary: named('killOperator') },
    { weight: 1, arbitrary: named('killReplica') },
  ),
  { minLength: 3, maxLength: 10 },
);

/** A network of its own, with what is known of each transaction that was submitted to it. */
export async function createSequence(from: string, isPersistent: boolean) {
  const network = await createNetwork(isPersistent);
  const items: Item[] = [];
  const keyed = new Map<string, Item[]>();
  const snapshots: unknown[] = [];
  let chain = (await statusOf(network.id)).enclaveID ?? '';
  let maintenance = 0;

  const ownItems = () => items.filter((item) => item.chain === chain && item.hash !== '');
  const attempt = (path: Path, method: string, ...params: unknown[]): Promise<unknown> =>
    ways[path](network.urls, method, params).catch(() => undefined);
  const rpc = <T>(method: string, ...params: unknown[]): Promise<T> =>
    repeat(() => ways.http(network.urls, method, params)) as Promise<T>;

  async function submit({ count, key: name }: Happenings['submit']): Promise<void> {
    const idempotencyKey = name === undefined ? randomUUID() : `${network.id}/${chain}/${name}`;
    const own = keyed.get(idempotencyKey) ?? Array.from({ length: count }, newItem);
    if (!keyed.has(idempotencyKey)) items.push(...own);
    keyed.set(idempotencyKey, own);
    const transactions = own.map(({ to }) => ({ from, to, value: '1', data: '0x' }));
    const { status, body } = await answered('POST', submitPath, {
      body: { transactions_by_network: { [network.id]: transactions } },
      headers: { 'Idempotency-Key': idempotencyKey },
    });
    if (status !== 202) return;
    // A repeated key is answered with the first response, whatever became of its transactions since.
    for (const [index, item] of own.entries()) {
      item.hash = body.tx_hashes_by_network[network.id][index];
      item.isPromised = true;
    }
  }

  function newItem(): Item {
    return {
      to: freshAddress(),
      hash: '',
      chain,
      isPromised: false,
      isUndone: false,
      mayReturn: false,
      mayBeLost: false,
    };
  }

  async function verdictOf(hash: string): Promise<Item | undefined | Answer['body']> {
    const { body } = await answered('GET', `${submissionsPath}/${hash}?network_id=${network.id}`);
    return ['mined', 'failed', 'dropped'].includes(body.state) ? body : undefined;
  }

  /** What the node has of the items of the present chain, by hash. */
  async function present(): Promise<Map<string, 'mined' | 'pending' | undefined>> {
    const states = ownItems().map(async ({ hash }) => {
      const found = await rpc<{ blockNumber: string | null } | null>('eth_getTransactionByHash', hash);
      return [hash, found ? (found.blockNumber ? 'mined' : 'pending') : undefined] as const;
    });
    return new Map(await Promise.all(states));
  }

  /** Hashes that the operator sends again when a process lacks them. */
  async function queued(): Promise<Set<string>> {
    const { items: queues } = await getJson('outboxes', '--selector', `slipway.dev/network=${network.id}`);
    const found = queues.flatMap((queue: Parameters<typeof marksOf>[0]) => {
      const marks = marksOf(queue);
      return batchesOf(queue).flatMap((batch) => (marks[batch.id]?.queued ? hashesIn(batch) : []));
    });
    return new Set(found);
  }

  /** Somebody makes the engine go back: what it had and lacks afterwards is undone. */
  async function undoing(work: () => Promise<unknown>): Promise<void> {
    const [before, promised] = [await present(), await queued()];
    await work();
    const after = await present();
    for (const item of ownItems()) {
      // anvil removes what is in its pool with the next block, if the transaction with the nonce before it was undone.
      if (after.get(item.hash) === 'pending') item.mayBeLost = true;
      if (after.get(item.hash)) continue;
      // The operator may have sent it just before the chain went back, or sends it afterwards.
      const isOnItsWay = promised.has(item.hash);
      if (isOnItsWay) Object.assign(item, { mayReturn: true, mayBeLost: true });
      if (before.get(item.hash)) item.isUndone = true;
    }
  }

  /** The process of the engine ends: what it had not saved may be lost, also that something was undone. */
  async function another(end: () => Promise<unknown>): Promise<void> {
    const before = await present();
    const former = (await statusOf(network.id)).instance;
    await end();
    await until(
      'another process',
      () => statusOf(network.id),
      ({ state, instance }) => state === 'Operational' && JSON.stringify(instance) !== JSON.stringify(former),
    );
    chain = (await statusOf(network.id)).enclaveID ?? '';
    snapshots.length = 0;
    const after = await present();
    for (const item of ownItems()) {
      if (before.get(item.hash) && !after.get(item.hash)) item.mayBeLost = true;
      if (item.isUndone) item.mayReturn = true;
    }
  }

  const podOf = async (): Promise<string> => {
    const { items: pods } = await getJson('pods', '--selector', `slipway.dev/network=${network.id}`);
    return pods[0].metadata.name;
  };

  async function restart(): Promise<void> {
    maintenance += 1;
    const { body } = await answered('GET', `/v1alpha/networks/${network.id}`);
    const spec = { ...body.spec, maintenanceRequest: { action: 'Restart', nonce: maintenance } };
    await answered('PUT', `/v1alpha/networks/${network.id}`, { body: { name: body.name, spec } });
  }

  async function stopAndWake(): Promise<void> {
    await answered('POST', `/v1alpha/networks/${network.id}/stop`);
    await until(
      'the network to stop',
      () => statusOf(network.id),
      ({ state }) => state === 'Stopped',
    );
    await rpc('eth_chainId');
  }

  const actions: { [Name in keyof Happenings]: (what: Happenings[Name]) => Promise<unknown> } = {
    submit,
    snapshot: async () => snapshots.push(await rpc('evm_snapshot')),
    async revert({ which, by: path }) {
      if (snapshots.length === 0) return;
      const [id] = snapshots.splice(which % snapshots.length);
      await undoing(() => attempt(path, 'evm_revert', id));
    },
    async rollback({ blocks, by: path }) {
      const height = Number(await rpc<string>('eth_blockNumber'));
      if (height >= blocks) await undoing(() => attempt(path, 'anvil_rollback', blocks));
    },
    pause: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms)),
    mine: () => rpc('evm_mine'),
    restart: () => another(restart),
    killEngine: () => another(() => killOneOf(namespace, async () => [await podOf()])),
    replacePod: () => another(async () => kubectl(['delete', 'pod', await podOf(), '--wait=false'])),
    stopAndWake: () => another(stopAndWake),
    killOperator: killLeader,
    killReplica,
  };

  return {
    take: (step: Step): Promise<unknown> => (actions[step.do] as (what: Step) => Promise<unknown>)(step),
    /** Waits until everything has come to an end, and returns what was said or done and is not so. */
    async falsehoods(): Promise<string[]> {
      await rpc('evm_mine');
      const sent = items.filter(({ hash }) => hash !== '');
      const verdicts = new Map<string, Answer['body']>();
      for (const { hash } of sent)
        verdicts.set(
          hash,
          await until(`a verdict on ${hash}`, () => verdictOf(hash), Boolean, 90_000).catch(() => undefined),
        );
      const state = await present();
      const seen = items.map(async (item) => ({
        verdict: verdicts.get(item.hash),
        isMined: state.get(item.hash) === 'mined',
        times: BigInt(await rpc<string>('eth_getBalance', item.to, 'latest')),
        isOfPresentChain: item.chain === chain,
      }));
      return (await Promise.all(seen)).flatMap((one, index) => falsehoodsOf(items[index], one));
    },
    end: () => remove(network.id),
  };
}

/** The admin URLs, which may change the chain by hand. */
interface Urls {
  admin?: string;
  'admin-ws'?: string;
}

const ways: Record<Path, (urls: Urls, method: string, params: unknown[]) => Promise<unknown>> = {
  http: ({ admin = '' }, method, params) => callRpc(admin, method, ...params),
  webSocket: ({ 'admin-ws': ws = '' }, method, params) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(ws);
      socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      socket.onmessage = ({ data }) => {
        resolve(JSON.parse(String(data)).result);
        socket.close();
      };
      socket.onclose = ({ reason }) => reject(new Error(`the WebSocket was closed: ${reason}`));
    }),
  async batch({ admin = '' }, method, params) {
    const calls = [
      { method: 'eth_chainId', params: [] },
      { method, params },
    ];
    const body = JSON.stringify(calls.map((one, id) => ({ jsonrpc: '2.0', id, ...one })));
    const response = await fetch(admin, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    const answers = (await response.json()) as { result?: unknown; error?: object }[];
    const own = answers[1];
    if (!own || own.error) throw new Error(JSON.stringify(answers));
    return own.result;
  },
};

async function createNetwork(isPersistent: boolean): Promise<{ id: string; urls: Urls }> {
  const spec = { persistent: isPersistent, chain: { type: 'Base', base: {} } };
  const { status, body } = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('seq'), spec },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  await reach(body.id, 'Operational');
  return { id: body.id, urls: await endpointsOf(body.id) };
}

interface Labelled {
  metadata: { labels?: Record<string, string> };
}

/** A network's status in kube-apiserver: a read over REST would wake the network. */
async function statusOf(id: string): Promise<Answer['body']> {
  const { items } = await getJson('networks.slipway.dev');
  const isIt = ({ metadata }: Labelled) => metadata.labels?.['slipway.dev/id'] === id;
  const found = items.find(isIt);
  return found?.status ?? {};
}

/** Repeats a request without a final answer, with the same key, as a careful client does. */
function answered(...request: Parameters<typeof call>): Promise<Answer> {
  return repeat(async () => {
    const answer = await call(...request);
    if (answer.status >= 500 || answer.headers.get('retry-after'))
      throw new Error(JSON.stringify(answer.body));
    return answer;
  });
}

/** Throws what the last attempt threw, after two minutes. */
async function repeat<T>(work: () => Promise<T>): Promise<T> {
  const endMs = Date.now() + 120_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > endMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
