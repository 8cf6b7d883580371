import { randomUUID } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { toBeHex, zeroPadValue } from 'ethers';
import fc from 'fast-check';
import { readReceipts } from '../../../core/evm/receipts.ts';
import { areKnown } from '../../../core/evm/transactions.ts';
import { isAppError } from '../../../core/lib/errors.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { batchesOf } from '../../../core/outbox/batches.ts';
import { marksOf } from '../../../core/outbox/marks.ts';
import { hashesIn } from '../../../core/outbox/packedTransactions.ts';
import { createSend, type Send } from '../../../core/outbox/send.ts';
import { createSenderQueues } from '../../../core/outbox/senderQueues.ts';
import { falsehoodsOf, type Item } from '../../../core/outbox/testing/falsehoods.ts';
import type { SceneNetwork } from '../../../core/outbox/testing/scene.ts';
import {
  accept,
  archived,
  beginAgain,
  clock,
  deps,
  headOf,
  isEmpty,
  key,
  kube,
  lookUntil,
  network,
  queueOf,
  rpcOf,
  runAgain,
  scene,
  startOperator,
  transfer,
} from './queueScene.ts';

type Verdicts = Awaited<ReturnType<typeof archived>>;

/** What may happen to a sender queue and its chain, with what it takes. */
interface Happenings {
  submit: { by: 0 | 1; count: number; key: number | undefined };
  die: { hasPromised: boolean };
  revert: { which: number };
  forget: { which: number };
  /** What was undone is submitted again, as it was. */
  again: { by: 0 | 1; which: number };
  /** Somebody sets the nonce of the account back. */
  setBack: { by: number };
  automine: { isOn: boolean };
  look: { times: number };
  snapshot: unknown;
  mine: unknown;
  takeOver: unknown;
  restart: unknown;
  crash: unknown;
  begin: unknown;
  /** While an API server works on a submission, something else happens. */
  meanwhile: { submission: Happenings['submit']; other: SingleStep };
}

type StepOf<Name extends keyof Happenings> = { [One in Name]: { do: One } & Happenings[One] }[Name];
type SingleStep = StepOf<Plain | 'submit' | 'revert' | 'look'>;
export type Step = StepOf<keyof Happenings>;

const by = fc.constantFrom<0 | 1>(0, 1);
const which = fc.nat(9);
type Plain = 'snapshot' | 'mine' | 'takeOver' | 'restart' | 'crash' | 'begin';
const plain = (...names: Plain[]) => fc.constantFrom(...names).map((name): StepOf<Plain> => ({ do: name }));

const submission = fc.record({
  by,
  count: fc.integer({ min: 1, max: 3 }),
  key: fc.option(fc.nat(2), { nil: undefined }),
});
const revert = fc.record({ do: fc.constant('revert' as const), which });
const look = fc.record({ do: fc.constant('look' as const), times: fc.integer({ min: 1, max: 5 }) });

/** Steps in an order that a test suite, an impatient user and an unreliable machine may bring about. */
export const someSteps = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    {
      weight: 6,
      arbitrary: submission.map((what) => ({ do: 'submit' as const, ...what })),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), hasPromised: fc.boolean() }) },
    { weight: 3, arbitrary: plain('snapshot') },
    { weight: 4, arbitrary: revert },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), which }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const), by, which }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('setBack' as const), by: fc.integer({ min: 1, max: 4 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('automine' as const), isOn: fc.boolean() }) },
    { weight: 4, arbitrary: look },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('meanwhile' as const),
        submission,
        other: fc.oneof<fc.MaybeWeightedArbitrary<SingleStep>[]>(
          revert,
          look,
          plain('mine', 'takeOver', 'restart', 'crash'),
          submission.map((what) => ({ do: 'submit' as const, ...what })),
        ),
      }),
    },
    { weight: 3, arbitrary: plain('mine', 'takeOver') },
    { weight: 2, arbitrary: plain('restart', 'crash', 'begin') },
  ),
  { minLength: 3, maxLength: 14 },
);

/** Always the same, so that the same transaction with the same nonce has the same hash. */
const fees = { max_fee_per_gas: '5000000000', max_priority_fee_per_gas: '1000000000' };

const submittedTo = (index: number) => zeroPadValue(toBeHex(0xaa_0000 + index), 20);

/** Two API servers, an operator and an engine, with what is known of each transaction. */
export function createSequence() {
  const items: Item[] = [];
  const snapshots: unknown[] = [];
  const formers: SceneNetwork[] = [];
  const keyed = new Map<string, Item[]>();
  /** What a repetition of its request makes again by itself. */
  const repeatable = new Set<Item>();
  const replicas = [newReplica(), newReplica()];

  const chainOf = () => network.resource.status?.enclaveID ?? '';
  const ownItems = () => items.filter(({ chain, hash }) => chain === chainOf() && hash !== '');
  const call = (method: string, ...params: unknown[]) => rpcOf(network).call(method, params);

  function newItems(count: number): Item[] {
    const added = Array.from({ length: count }, (_, index) => ({
      to: submittedTo(items.length + index),
      hash: '',
      chain: chainOf(),
      isPromised: false,
      isUndone: false,
      mayReturn: false,
      mayBeLost: false,
    }));
    items.push(...added);
    return added;
  }

  async function submit(replica: Send, { count, key: name }: Happenings['submit']): Promise<Item[]> {
    const idempotencyKey = name === undefined ? randomUUID() : `${chainOf()}/${name}`;
    const own = keyed.get(idempotencyKey) ?? newItems(count);
    keyed.set(idempotencyKey, own);
    if (name !== undefined) for (const item of own) repeatable.add(item);
    const keyOfRequest = name === undefined ? {} : { idempotencyKey, digest: idempotencyKey };
    await send(replica, own, keyOfRequest, async (hashes) => noteAttempt(own, hashes, await archived()));
    return own;
  }

  async function send(
    replica: Send,
    own: readonly Item[],
    keyOfRequest: object,
    note: (hashes: readonly string[]) => Promise<void>,
  ): Promise<void> {
    try {
      const { hashes, taken } = await replica({
        ...requestOn(network),
        ...keyOfRequest,
        items: own.map(({ to }) => ({ from: scene.wallet.address, to, value: '1', data: '0x', ...fees })),
      });
      await note(hashes);
      await taken;
      for (const item of own) item.isPromised = true;
    } catch (error) {
      if (!isAppError(error)) throw error;
    }
  }

  async function again(replica: Send, number: number): Promise<void> {
    const undone = ownItems().filter(
      (one) => one.isUndone && !one.mayReturn && !one.mayBeLost && !repeatable.has(one),
    );
    const item = undone[number % undone.length];
    if (!item) return;
    await send(replica, [item], {}, async ([hash = '']) => {
      Object.assign(item, { hash, isUndone: false });
    });
  }

  /** What the node has of the items of its chain, by hash: `mined`, `pending` or undefined. */
  async function present(): Promise<Map<string, 'mined' | 'pending' | undefined>> {
    const hashes = ownItems().map(({ hash }) => hash);
    const [receipts, known] = await Promise.all([
      readReceipts(rpcOf(network), hashes),
      areKnown(rpcOf(network), hashes),
    ]);
    return new Map(
      hashes.map((hash, index) => [
        hash,
        receipts[index] ? ('mined' as const) : known[index] ? ('pending' as const) : undefined,
      ]),
    );
  }

  /** Hashes that the operator sends again when a process lacks them. */
  async function queued(): Promise<Set<string>> {
    const head = await headOf().catch(() => undefined);
    const marks = marksOf(head);
    return new Set(batchesOf(head).flatMap((one) => (marks[one.id]?.queued ? hashesIn(one) : [])));
  }

  /** Somebody makes the engine go back: what it had and lacks afterwards is undone. */
  async function undoing(work: () => Promise<unknown>): Promise<void> {
    await untilMined();
    const [before, promisedBefore, verdicts] = [await present(), await queued(), await archived()];
    await work();
    // Meanwhile somebody may have asked for it again.
    const [after, promisedAfter] = [await present(), await queued()];
    for (const item of ownItems()) {
      if (!before.get(item.hash) || after.get(item.hash)) continue;
      item.isUndone = true;
      const isPromised = promisedBefore.has(item.hash) || promisedAfter.has(item.hash);
      // It is open, and nobody knows that the engine had it.
      if (isPromised && !verdicts[item.hash]) item.mayReturn = true;
    }
    notePending(after);
  }

  /** anvil removes what is in its pool when it mines the next block, if a rollback took the transaction with the nonce before it. */
  function notePending(state: ReadonlyMap<string, unknown>): void {
    for (const item of ownItems()) if (state.get(item.hash) === 'pending') item.mayBeLost = true;
  }

  /** What was acknowledged just before the engine went back is gone with it, unless it is stored that it has to be sent. */
  async function noteUndone(submitted: readonly Item[]): Promise<void> {
    await untilMined();
    const [after, promised, verdicts] = [await present(), await queued(), await archived()];
    for (const item of submitted)
      if (item.isPromised && !after.get(item.hash) && !promised.has(item.hash) && !verdicts[item.hash])
        item.isUndone = true;
    notePending(after);
  }

  /** A block that is being mined may have what was just taken out of the pool. */
  async function untilMined(): Promise<void> {
    const counts = () =>
      Promise.all(
        ['latest', 'pending'].map((tag) => call('eth_getTransactionCount', scene.wallet.address, tag)),
      );
    if (!(await call('anvil_getAutomine'))) return;
    for (let [mined, all] = await counts(); mined !== all; [mined, all] = await counts()) await nextTick();
  }

  /** The engine ends: what it has not saved is lost, also that something was undone. */
  async function another(end: 'restart' | 'crash'): Promise<void> {
    const before = await present();
    await runAgain(end);
    const verdicts = await archived();
    snapshots.length = 0;
    const after = await present();
    for (const item of ownItems()) {
      if (before.get(item.hash) === 'mined' && !after.get(item.hash)) item.mayBeLost = true;
      if (end === 'crash' && item.isUndone && (after.get(item.hash) || !verdicts[item.hash]))
        item.mayReturn = true;
    }
  }

  async function begin(): Promise<void> {
    formers.push(await beginAgain());
    await deps.caches.networks.waitFor(({ status }) => status?.enclaveID === chainOf(), {
      timeoutMs: 60_000,
    });
    snapshots.length = 0;
  }

  async function die(hasPromised: boolean): Promise<void> {
    const [item] = newItems(1);
    if (!item) return;
    const [hash = ''] = await accept([transfer({ to: item.to })], network, { isQueued: hasPromised });
    Object.assign(item, { hash, isPromised: hasPromised });
  }

  async function look(times: number): Promise<void> {
    if (!(await headOf().catch(() => undefined))) return;
    for (let count = 0; count < times; count++) await lookUntil(() => true);
  }

  const actions: { [Name in keyof Happenings]: (what: Happenings[Name]) => Promise<unknown> } = {
    submit: (what) => submit(replicas[what.by] ?? newReplica(), what),
    die: ({ hasPromised }) => die(hasPromised),
    async snapshot() {
      await untilMined();
      snapshots.push(await call('evm_snapshot'));
    },
    mine: () => call('evm_mine'),
    takeOver: () => startOperator(),
    restart: () => another('restart'),
    crash: () => another('crash'),
    begin,
    async revert({ which: number }) {
      if (snapshots.length === 0) return;
      const [id] = snapshots.splice(number % snapshots.length);
      await undoing(() => call('evm_revert', id));
    },
    async forget({ which: number }) {
      await untilMined();
      const pending = [...(await present())].flatMap(([hash, state]) => (state === 'pending' ? hash : []));
      const hash = pending[number % pending.length];
      if (hash) await undoing(() => call('anvil_dropTransaction', hash));
    },
    again: ({ by: replica, which: number }) => again(replicas[replica] ?? newReplica(), number),
    async setBack({ by: count }) {
      await untilMined();
      const mined = Number(await call('eth_getTransactionCount', scene.wallet.address, 'latest'));
      await call('anvil_setNonce', scene.wallet.address, toBeHex(Math.max(0, mined - count)));
      // What is in the pool has a nonce that is too high by then.
      notePending(await present());
    },
    automine: ({ isOn }) => call('evm_setAutomine', isOn),
    look: ({ times }) => look(times),
    async meanwhile({ submission: first, other }) {
      const undone = new Set(items.filter(({ isUndone }) => isUndone));
      const [submitted] = await Promise.all([
        submit(replicas[first.by] ?? newReplica(), first),
        (actions[other.do] as (what: Step) => Promise<unknown>)(other),
      ]);
      if (other.do === 'revert') await noteUndone(submitted);
      // Nobody can say whether it was asked for again before or after it was judged: it is dropped, or sent again.
      for (const item of submitted)
        if (undone.has(item)) Object.assign(item, { isUndone: true, mayReturn: true });
    },
  };

  return {
    take: (step: Step): Promise<unknown> =>
      withTime(() => (actions[step.do] as (what: Step) => Promise<unknown>)(step)),
    /** Lets everything come to an end, and returns what was said or done and is not so; none when all is well. */
    async falsehoods(): Promise<string[]> {
      await call('evm_setAutomine', true);
      await call('evm_mine');
      for (const one of [...formers, network]) {
        const isUsed = await headOf(one).catch(() => undefined);
        if (isUsed) await lookUntil(isEmpty, one);
      }
      const [verdicts, state] = [await archived(), await present()];
      const seen = items.map(async (item) => ({
        verdict: verdicts[item.hash],
        isMined: state.get(item.hash) === 'mined',
        times: BigInt(String(await call('eth_getBalance', item.to, 'latest'))),
        isOfPresentChain: item.chain === chainOf(),
      }));
      return (await Promise.all(seen)).flatMap((one, index) => falsehoodsOf(items[index], one));
    },
  };
}

/** Another hash is another attempt. What is asked for again before anybody has judged it is promised again. */
function noteAttempt(items: readonly Item[], hashes: readonly string[], verdicts: Verdicts): void {
  for (const [index, item] of items.entries()) {
    const hash = hashes[index] ?? '';
    if (item.hash !== hash || !verdicts[hash]) Object.assign(item, { hash, isUndone: false });
  }
}

function requestOn(on: SceneNetwork) {
  const { status } = on.resource;
  return {
    queue: queueOf(on),
    rpc: rpcOf(on),
    key,
    user: scene.user.userId,
    isCurrent: () => true,
    chainId: status?.chainID ?? '',
    published: status?.instance,
  };
}

function newReplica(): Send {
  const { signer } = deps;
  return createSend({ queues: createSenderQueues({ kube, signer, clock }), clock, log: silentLog });
}

/** Time goes by while somebody waits, five times as fast as elsewhere. */
async function withTime<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => clock.advance(25), 5);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
