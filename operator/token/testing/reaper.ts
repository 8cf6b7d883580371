import { id } from 'ethers';
import type { DeploymentStatus } from '../../../core/api/resources/tokenResource.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { kubeThrough, type Passage, type Write } from '../../../core/kube/testing/mortalKube.ts';
import { type Clock, systemClock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Surroundings } from './operator.ts';

/** Before a write is sent, or after it is made and before its response arrives. */
export type Moment = 'before' | 'after';

/** What an operator has during its life. */
interface Life {
  kube: Kube;
  surroundings: Surroundings;
  isDead(): boolean;
  /** Resolves when the operator dies. */
  died: Promise<void>;
}

/** Kills operators. */
export interface Reaper {
  begin(kube: Kube): Life;
  /** How many objects of a kind were written: Token, Journal, Outbox (an idempotency key), broadcast (a transaction). */
  count(kind: string): number;
  /** The writes at which no life ended at each of their moments. */
  survived(): string[];
}

/**
 * A life ends at the first write at which, at that moment, no earlier life has ended. So each write ends one life before
 * it and one after it, and each life gets one write further than the last. Work under way at that time is lost as well.
 * `momentsOf` returns the moments for a kind of write; a write without moments is only counted.
 */
export function createReaper(momentsOf: (mark: string) => readonly Moment[]): Reaper {
  const deaths: Record<Moment, Set<string>> = { before: new Set(), after: new Set() };
  const made = new Set<string>();

  function isDue(marks: readonly string[], moment: Moment): boolean {
    return marks.some((mark) => !deaths[moment].has(mark) && momentsOf(mark).includes(moment));
  }

  /** Whether a life ends with this write. */
  function isFatal(marks: readonly string[], moment: Moment, isDead: boolean): boolean {
    if (!isDead && !isDue(marks, moment)) return false;
    for (const mark of marks) deaths[moment].add(mark);
    return true;
  }

  return {
    begin: (kube) => beginLife(kube, { isFatal, made }),
    count: (kind) => [...made].filter((mark) => mark.startsWith(`${kind} `)).length,
    survived: () => [...made].filter((mark) => isDue([mark], 'before') || isDue([mark], 'after')),
  };
}

interface Fate {
  isFatal(marks: readonly string[], moment: Moment, isDead: boolean): boolean;
  made: Set<string>;
}

function beginLife(kube: Kube, { isFatal, made }: Fate): Life {
  const died = Promise.withResolvers<void>();
  let isDead = false;
  function live(): void {
    if (isDead) throw new AppError('Unavailable', 'this operator is dead');
  }
  function dieAt(marks: readonly string[], moment: Moment): void {
    isDead = isFatal(marks, moment, isDead);
    if (isDead) died.resolve();
    live();
  }
  async function read<T>(ask: () => Promise<T>): Promise<T> {
    live();
    const answer = await ask();
    live();
    return answer;
  }
  async function write<T>(marks: readonly string[], send: () => Promise<T>): Promise<T> {
    live();
    dieAt(marks, 'before');
    const answer = await send();
    for (const mark of marks) made.add(mark);
    dieAt(marks, 'after');
    return answer;
  }
  return {
    kube: kubeThrough(kube, { read, write: (one, send) => write(marksOf(one), send) }),
    surroundings: {
      clock: mortalClock(() => isDead),
      through: (nodes) => (uid) => {
        const rpc = nodes(uid);
        return rpc && rpcThrough(rpc, { read, write });
      },
    },
    isDead: () => isDead,
    died: died.promise,
  };
}

/** A dead operator never wakes. */
function mortalClock(isDead: () => boolean): Clock {
  const never = (signal?: AbortSignal) =>
    new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  return {
    ...systemClock,
    async sleep(delayMs, signal) {
      if (!isDead()) await systemClock.sleep(delayMs, signal);
      if (isDead()) await never(signal);
    },
  };
}

interface RpcPassage extends Pick<Passage, 'read'> {
  write<T>(marks: readonly string[], send: () => Promise<T>): Promise<T>;
}

function rpcThrough(rpc: EvmRpc, { read, write }: RpcPassage): EvmRpc {
  return {
    call: (...asked) => read(() => rpc.call(...asked)),
    batch(calls, options) {
      const sent = calls.filter(({ method }) => method === 'eth_sendRawTransaction');
      const marks = sent.map(({ params: [raw] }) => `broadcast ${id(String(raw))}`);
      const send = () => rpc.batch(calls, options);
      const outcomes = marks.length > 0 ? write(marks, send) : read(send);
      // Like the real one, it never rejects.
      return outcomes.catch((error: AppError) => calls.map(() => ({ error })));
    },
  };
}

interface Written {
  spec?: { steps?: Record<string, { state?: string | null }>; batches?: string };
  status?: { deployments?: DeploymentStatus[] };
}

/** What a write is about, in the same words for every life; a write of several entries gives several. */
function marksOf({ type, name, body = {} }: Write): string[] {
  const { spec, status }: Written = body;
  if (type.kind === 'Journal') {
    const steps = Object.entries(spec?.steps ?? {});
    return steps.map(([step, { state }]) => `Journal ${name} ${step} ${state ?? 'sent'}`);
  }
  if (type.kind === 'Outbox') {
    const batches: { idempotencyKey?: string }[] = JSON.parse(spec?.batches ?? '[]');
    // A long batch is stored next to its sender queue, without the idempotency key.
    return batches.flatMap(({ idempotencyKey }) => (idempotencyKey ? [`Outbox ${idempotencyKey}`] : []));
  }
  if (type.kind !== 'Token') return [];
  const deployments = status?.deployments ?? [];
  return deployments.map(
    ({ network, state, deploymentTx }) => `Token ${network} ${state} ${deploymentTx ? 'sent' : ''}`,
  );
}
