import type { OutboxBatch, OutboxResource } from '../api/resources/outbox.ts';
import type { Reflector } from '../kube/cache/reflector.ts';
import { AppError } from '../lib/errors.ts';
import { flatMapBatches } from './batches.ts';

/** Transactions that are accepted and not settled, and the characters of their signed bytes as they are stored. */
export interface OpenLoad {
  count: number;
  bytes: number;
}

const mebibyte = 1024 * 1024;

/**
 * What may be open. A sender queue is the least, so that one key leaves room for the others of its workspace; and no
 * workspace can use up what the installation has.
 */
export const openLimits = {
  queue: { count: 20_000, bytes: 32 * mebibyte },
  namespace: { count: 100_000, bytes: 64 * mebibyte },
  all: { count: 1_000_000, bytes: 512 * mebibyte },
} as const;

const holders = {
  queue: 'of this key on this network',
  namespace: 'of this workspace',
  all: 'of this installation',
} as const;

const retryAfterSeconds = 5;

/** Throws Unavailable when what is open and what is added exceed a limit. */
export function checkOpenLimit(scope: keyof typeof openLimits, open: OpenLoad, added: OpenLoad): void {
  const { count, bytes } = openLimits[scope];
  if (open.count + added.count <= count && open.bytes + added.bytes <= bytes) return;
  const message =
    `too many transactions ${holders[scope]} wait to be mined: ` +
    `the budget is ${count} transactions and ${bytes / mebibyte} MiB; retry when some are mined`;
  throw new AppError('Unavailable', message, { retryAfterSeconds });
}

/** What a sender queue has open. */
export function openLoadOf(object: OutboxResource | undefined): OpenLoad {
  if (object?.spec.role !== 'queue') return { count: 0, bytes: 0 };
  return sumOf(flatMapBatches(object, (batch) => [{ count: batch.count, bytes: bytesOf(batch) }]));
}

function bytesOf({ bytes, raw = '' }: OutboxBatch): number {
  return bytes ?? raw.length;
}

function sumOf(loads: Iterable<OpenLoad>): OpenLoad {
  const sum = { count: 0, bytes: 0 };
  for (const { count, bytes } of loads) {
    sum.count += count;
    sum.bytes += bytes;
  }
  return sum;
}

/** The budgets of workspaces and of the installation. */
export interface OpenBudget {
  /** Adds to what is open while `work` stores it. Throws Unavailable when a budget does not allow it. */
  hold<T>(namespace: string, added: OpenLoad, work: () => Promise<T>): Promise<T>;
}

/**
 * Budgets over the sender queues in a cache. The cache is slightly behind, so that concurrent submissions to several
 * processes may exceed a budget by what they submit in that moment.
 */
export function createOpenBudget(outboxes: Pick<Reflector<OutboxResource>, 'list' | 'onChange'>): OpenBudget {
  const queues = new Map<string, OpenLoad & { namespace: string }>();
  const totals = new Map<string, OpenLoad>();
  const all: OpenLoad = { count: 0, bytes: 0 };

  function change(namespace: string, { count, bytes }: OpenLoad, sign: 1 | -1): void {
    const total = totals.get(namespace) ?? { count: 0, bytes: 0 };
    for (const sum of [total, all]) {
      sum.count += sign * count;
      sum.bytes += sign * bytes;
    }
    if (total.count > 0) totals.set(namespace, total);
    else totals.delete(namespace);
  }

  function take(key: string, namespace: string, load: OpenLoad): void {
    const before = queues.get(key);
    if (before) change(before.namespace, before, -1);
    queues.delete(key);
    if (load.count === 0) return;
    queues.set(key, { ...load, namespace });
    change(namespace, load, 1);
  }

  const see = (object: OutboxResource & { metadata: { namespace: string } }, load: OpenLoad) => {
    const { namespace, name } = object.metadata;
    if (object.spec.role === 'queue') take(`${namespace}/${name}`, namespace, load);
  };
  for (const object of outboxes.list()) see(object, openLoadOf(object));
  outboxes.onChange(({ type, object }) =>
    see(object, type === 'set' ? openLoadOf(object) : { count: 0, bytes: 0 }),
  );

  return {
    async hold(namespace, added, work) {
      checkOpenLimit('namespace', totals.get(namespace) ?? { count: 0, bytes: 0 }, added);
      checkOpenLimit('all', all, added);
      change(namespace, added, 1);
      try {
        return await work();
      } finally {
        change(namespace, added, -1);
      }
    },
  };
}
