import { automineCall, minesEachTransaction } from '../../../core/evm/automine.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { toQuantity } from '../../../core/lib/text/quantity.ts';
import { doubledMs } from '../../../core/lib/work/backoff.ts';
import { createFollower, type Follower } from './follow.ts';
import { keyOf, type WordsRequest } from './requests.ts';
import type { Responder } from './responder.ts';
import type { Sender } from './sender.ts';

export interface AgentDeps {
  rpc: EvmRpc;
  responder: Responder;
  sender: Sender;
  clock: Clock;
  log: Log;
}

interface Attempted {
  request: WordsRequest;
  failures: number;
  notBeforeMs: number;
  reason?: string;
}

export interface Agent {
  /** Reads what is new on the chain and answers what can be answered. Rejects while the chain cannot be used. */
  tick(): Promise<void>;
  /** The requests that wait for an answer. */
  openRequests(): number;
}

/** Transactions sent before the first of them is in a block. */
const maxAtOnce = 16;
const backoff = { baseMs: 1000, maxMs: 15_000 };

/**
 * Answers each request once: the coordinator takes one answer, and the next transaction is sent when the former ones are in
 * blocks. Open requests are read from the chain, so that a restart continues where the former process stopped.
 */
export function createAgent(deps: AgentDeps): Agent {
  const { responder, sender, clock } = deps;
  const open = new Map<string, Attempted>();
  let follower: Follower | undefined;

  async function follow(): Promise<number> {
    follower ??= createFollower(deps.rpc, await responder.keyHash());
    const { head, requests, isOther } = await follower.next();
    if (isOther) open.clear();
    for (const request of requests) open.set(keyOf(request), { request, failures: 0, notBeforeMs: 0 });
    return head;
  }

  async function stillOpen(): Promise<Attempted[]> {
    const due = [...open.values()].filter(({ notBeforeMs }) => notBeforeMs <= clock.nowMs());
    const waiting: Attempted[] = [];
    for (const one of due) {
      if (await responder.isOpen(one.request)) waiting.push(one);
      else open.delete(keyOf(one.request));
    }
    return waiting;
  }

  return {
    openRequests: () => open.size,
    async tick() {
      const head = await follow();
      if (open.size === 0 || (await sender.isBusy())) return;
      const due = await stillOpen();
      const missing = due.map(({ request }) => responder.missingBlocks(request, head));
      if (missing.some((blocks) => blocks > 0)) await mine(deps.rpc, Math.max(...missing));
      const ready = due.filter((_one, index) => missing[index] === 0);
      for (const one of ready.slice(0, maxAtOnce)) {
        // Moves to the end, so that the requests after it are not held up by one that cannot be answered.
        open.delete(keyOf(one.request));
        open.set(keyOf(one.request), one);
        await attempt(deps, one, head);
      }
    },
  };
}

/** A chain that makes blocks only for transactions would never confirm the request. */
async function mine(rpc: EvmRpc, blocks: number): Promise<void> {
  const [automine] = await rpc.batch([automineCall]);
  if (minesEachTransaction(automine)) await rpc.call('anvil_mine', [toQuantity(blocks)]);
}

async function attempt(deps: AgentDeps, one: Attempted, head: number): Promise<void> {
  const { responder, sender, clock, log } = deps;
  const { request } = one;
  const about = { request: String(request.requestId), coordinator: request.coordinator };
  try {
    const answer = await responder.answer(request);
    if (!answer) return;
    await sender.send(answer);
    log.info('answered', about);
  } catch (error) {
    const reason = messageOf(error);
    if (reason !== one.reason) log.warn('cannot answer yet', { ...about, reason });
    one.reason = reason;
    await preserve(deps, request, head);
  }
  one.failures += 1;
  one.notBeforeMs = clock.nowMs() + doubledMs(one.failures, backoff);
}

async function preserve({ responder, sender, log }: AgentDeps, request: WordsRequest, head: number) {
  try {
    const transaction = await responder.preserve?.(request, head);
    if (transaction) await sender.send(transaction);
  } catch (error) {
    log.warn('cannot keep the hash of a block', { block: request.blockNumber, reason: messageOf(error) });
  }
}
