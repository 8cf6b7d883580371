import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { credentialsOf } from '../apiserver/testing/harness.ts';
import { newUser } from '../core/accounts/objects.ts';
import type { OutboxResource } from '../core/api/resources/outbox.ts';
import { outboxType, userType } from '../core/api/resources/resources.ts';
import type { SubmitResponse } from '../core/api/rest/transaction.ts';
import { broadcast } from '../core/evm/broadcast.ts';
import { awaitReceipts } from '../core/evm/receipts.ts';
import { createEvmRpc, type EvmRpc } from '../core/evm/rpc.ts';
import type { Stored } from '../core/kube/kube.ts';
import { compact } from '../core/lib/compact.ts';
import { newOutbox, queueRefOf, withSpec } from '../core/outbox/outboxObjects.ts';
import { createChainScene, type SceneNetwork } from '../core/outbox/testing/scene.ts';
import { createSigner } from '../core/signing/signer.ts';
import { startBed } from './lib/bed.ts';
import { factsNow } from './lib/facts.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { measureBothMs } from './lib/timing.ts';
import type { ServeOptions } from './submit/serve.ts';

/**
 * Batches submitted over REST, which are stored durably before they are sent, compared with the same batches signed and
 * sent with eth_sendRawTransaction to the same engine. Measures from the start until every receipt is verified. Both
 * sides include signing with the same threads, since a raw client has to sign too. Gas and fees are preset on both. A
 * single transaction is also compared with a raw send and the least that makes it durable: one write to etcd. What the
 * same write takes through kube-apiserver is measured as well: with nothing else around both, that is the floor.
 */
const rounds = Number(process.env.ROUNDS ?? 15);
const aims: Record<number, number> = { 100: 0.9 };
const to = '0x00000000000000000000000000000000000000aa';
const fees = { maxFeePerGas: '5000000000', maxPriorityFeePerGas: '1000000000' };
const gasLimit = '21000';
const pollMs = 1;

const bed = await startBed();
const scene = await createChainScene(bed.kube);
const signer = createSigner();
const key = Buffer.from(scene.wallet.privateKey.slice(2), 'hex');

const children: ChildProcess[] = [];
let apiUrl = '';

/** Starts a separate process, as in an installation, and returns its first line of output. */
function serve(role: ServeOptions['role'], sides: readonly Side[]): Promise<string> {
  const addresses = sides.map(({ network }) => [network.id, scene.upstreams.find(network.id)]);
  const options = {
    role,
    kubeconfig: bed.kubeconfig,
    namespace: bed.namespace,
    user: scene.user,
    addresses: Object.fromEntries(addresses),
  };
  const file = join(import.meta.dirname, 'submit', 'serve.ts');
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
    child.once('exit', (code) => reject(new Error(`${role} exited with code ${code}`)));
  });
}

interface Side {
  network: SceneNetwork;
  rpc: EvmRpc;
  /** The next nonce of the raw client. */
  nonce: number;
}

async function addSide(name: string): Promise<Side> {
  const network = await scene.addNetwork(name);
  return { network, rpc: createEvmRpc({ url: network.url }), nonce: 0 };
}

async function verify(rpc: EvmRpc, hashes: readonly string[], timeoutMs = 4000): Promise<void> {
  // The last transaction is mined last. Waiting for it first avoids polling for all receipts.
  await awaitReceipts(rpc, hashes.slice(-1), { timeoutMs, pollMs });
  const receipts = await awaitReceipts(rpc, hashes, { timeoutMs, pollMs });
  const bad = receipts.filter((receipt) => !receipt?.isSuccess).length;
  if (bad > 0) throw new Error(`${bad} of ${hashes.length} transactions failed or have no receipt`);
}

async function sendRaw(side: Side, size: number): Promise<void> {
  const first = side.nonce;
  side.nonce += size;
  const chainId = side.network.resource.status?.chainID ?? '';
  const transactions = Array.from({ length: size }, (_, index) => {
    return { chainId, to, value: '1', data: '0x', gasLimit, fees, nonce: first + index };
  });
  const signed = await signer.sign(key, transactions);
  const results = await broadcast(
    side.rpc,
    signed.map(({ raw }) => raw),
  );
  if (results.some(({ kind }) => kind !== 'sent')) throw new Error(JSON.stringify(results));
  const hashes = signed.map(({ hash }) => hash);
  await verify(side.rpc, hashes).catch(async () => {
    // anvil sometimes holds transactions back by mistake. Clear and resend them, as the operator does on the other side.
    await side.rpc.call('anvil_removePoolTransactions', [scene.wallet.address]);
    await broadcast(
      side.rpc,
      signed.map(({ raw }) => raw),
    );
    await verify(side.rpc, hashes, 60_000);
  });
}

async function submit(sides: readonly Side[], size: number): Promise<void> {
  const item = {
    from: scene.wallet.address,
    to,
    value: '1',
    data: '0x',
    gas_limit: Number(gasLimit),
    max_fee_per_gas: fees.maxFeePerGas,
    max_priority_fee_per_gas: fees.maxPriorityFeePerGas,
  };
  const items = Array.from({ length: size }, () => item);
  const answer = await fetch(`${apiUrl}/transaction/v1alpha1/transaction/submit`, {
    method: 'POST',
    headers: { ...credentialsOf(scene.user.userId), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      transactions_by_network: Object.fromEntries(sides.map(({ network }) => [network.id, items])),
    }),
  });
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
  const { tx_hashes_by_network: hashes } = (await answer.json()) as SubmitResponse;
  await Promise.all(sides.map(({ network, rpc }) => verify(rpc, hashes[network.id] ?? [], 60_000)));
}

/** The median of as many times as there are turns, one after the other. */
async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const timesMs: number[] = [];
  for (let turn = 0; turn < rounds * 20; turn += 1) {
    const startMs = performance.now();
    await work();
    timesMs.push(performance.now() - startMs);
  }
  return round(percentile(timesMs, 0.5));
}

/** The object of the sender queue with the most in it. */
async function largestQueue(): Promise<Stored<OutboxResource>> {
  const { items } = await bed.kube.list(outboxType, { namespace: scene.user.namespace });
  const queues = items.filter(({ spec }) => spec.role === 'queue');
  const [largest] = queues.sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length);
  if (!largest) throw new Error('there is no sender queue');
  return largest;
}

/** A write of such an object through kube-apiserver, alone. The operator leaves an archive as it is. */
async function kubeWrite({ spec, ...queue }: Stored<OutboxResource>): Promise<number> {
  const ref = { ...queueRefOf({ ...queue, spec }), incarnation: 'bench' };
  let next = 0;
  let own = await bed.kube.create(
    outboxType,
    newOutbox(ref, 'archive', { next, ...compact({ batches: spec.batches }) }),
  );
  const ms = await medianMs(async () => {
    next += 1;
    own = await bed.kube.replace(outboxType, withSpec(own, { ...own.spec, next }));
  });
  await bed.kube.delete(outboxType, own.metadata);
  return ms;
}

/** A write to etcd of the size of the sender queue's object, alone. */
async function etcdWrite(bytes: number): Promise<number> {
  const base64 = (value: string) => Buffer.from(value).toString('base64');
  const body = JSON.stringify({ key: base64('/bench/write'), value: base64('x'.repeat(bytes)) });
  return medianMs(async () => {
    const answer = await fetch(`${bed.etcdUrl}/v3/kv/put`, { method: 'POST', body });
    await answer.text();
    if (!answer.ok) throw new Error(`etcd answered ${answer.status}`);
  });
}

/** A single transaction against a raw send and a write. */
async function singleOf({ rawMs, submitMs }: { rawMs: number; submitMs: number }) {
  const queue = await largestQueue();
  const bytes = JSON.stringify(queue).length;
  const [etcdMs, kubeMs] = [await etcdWrite(bytes), await kubeWrite(queue)];
  const ratioTo = (ms: number) => round(ms / (rawMs + etcdMs));
  const floor = ratioTo(rawMs + kubeMs);
  const single = { rawMs, etcdMs, kubeMs, bytes, submitMs, ratio: ratioTo(submitMs), floor };
  console.log(JSON.stringify(single));
  return single;
}

const atOnce = (width: number, work: () => Promise<void>) => () =>
  Promise.all(Array.from({ length: width }, work));

async function compare(
  name: string,
  sides: { raw(): Promise<unknown>; submit(): Promise<unknown> },
  times: number,
) {
  const repeat = (work: () => Promise<unknown>) => async () => {
    for (let turn = 0; turn < times; turn += 1) await work();
  };
  const raw: number[] = [];
  const submitted: number[] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    const [one, other] = await measureBothMs(turn, repeat(sides.raw), repeat(sides.submit));
    raw.push(one / times);
    submitted.push(other / times);
  }
  const rawMs = percentile(raw, 0.5);
  const submitMs = percentile(submitted, 0.5);
  const row = { name, rawMs: round(rawMs), submitMs: round(submitMs), ratio: round(rawMs / submitMs) };
  console.log(JSON.stringify(row));
  return row;
}

const facts = factsNow();
try {
  // The service finds the user in its cache, as it does in an installation.
  const { userId: id } = scene.user;
  await bed.kube.create(userType, newUser({ namespace: bed.namespace, id }, { name: 'bench' }));
  const [one, other] = [await addSide('raw'), await addSide('submit')];
  const many = await Promise.all(Array.from({ length: 16 }, (_, index) => addSide(`many-${index}`)));
  apiUrl = await serve('apiserver', [one, other, ...many]);
  await serve('operator', [one, other, ...many]);
  // Warms up threads, connections and code on both sides.
  for (let turn = 0; turn < 30; turn += 1) {
    await sendRaw(one, 10);
    await submit([other], 10);
  }
  const rows = [];
  for (const [size, times] of [
    [1, 20],
    [10, 10],
    [100, 4],
    [1000, 1],
  ] as const) {
    const sides = { raw: () => sendRaw(one, size), submit: () => submit([other], size) };
    const row = await compare(`batches of ${size}, one after the other`, sides, times);
    rows.push({ ...row, ...compact({ aim: aims[size] }) });
  }
  const [first] = rows;
  const single = first && (await singleOf(first));
  const crowd = { raw: atOnce(16, () => sendRaw(one, 1)), submit: atOnce(16, () => submit([other], 1)) };
  rows.push(await compare('batches of 1, 16 at a time', crowd, 4));
  const spread = {
    raw: () => Promise.all(many.map((side) => sendRaw(side, 10))),
    submit: () => submit(many, 10),
  };
  // The raw client and the service alternate on the same networks, so the raw client rereads its nonces each time.
  const rereadNonces = async () => {
    for (const side of many) {
      side.nonce = Number(await side.rpc.call('eth_getTransactionCount', [scene.wallet.address, 'pending']));
    }
  };
  const raw = () => rereadNonces().then(spread.raw);
  rows.push(await compare('batches of 10 to 16 networks in one call', { ...spread, raw }, 1));
  writeReport('submit', { facts, rounds, single, rows });
} finally {
  await signer.close();
  for (const child of children) child.kill();
  await scene.stop();
  await bed.stop();
}
