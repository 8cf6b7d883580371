import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from './budgetMetrics.ts';

/** Access to something that only a few callers can use at a time. */
export interface Turns {
  /** Resolves when it is the caller's turn; call the returned function at its end. TooManyRequests if too many wait. */
  begin(caller: string, work?: Work): Promise<() => void>;
}

interface Work {
  /** The callers of a group share the turns of one. By default the caller alone. */
  group?: string | undefined;
  /** What it is expected to cost: a group whose work costs twice as much has half as many turns. By default 1. */
  price?: number;
}

interface Options {
  atOnce: number;
  maxWaitingPerCaller: number;
  /** Work of this price or more, of which fewer run at a time, so that it never keeps everything from small work. */
  large?: { price: number; atOnce: number };
  /** Why a caller is refused that has this many waiting. */
  refusal(waiting: number): string;
  budgets: Pick<BudgetMetrics, 'refused'>;
}

interface Waiting {
  price: number;
  start(): void;
}

/** Callers in the order of their turns, each with what waits. */
type Callers = Map<string, Waiting[]>;

/**
 * Callers take turns: one with many requests waits behind one with few, and so does a group with many callers, or with expensive work.
 * The next turn is that of the group that has had least (start-time fair queueing, Goyal, Vin and Cheng, 1996).
 */
export function createTurns({ atOnce, maxWaitingPerCaller, large, refusal, budgets }: Options): Turns {
  const groups = new Map<string, Callers>();
  const shares = createVirtualTime();
  const { fits, count } = createPlaces(atOnce, large);

  function enter(group: string, price: number): void {
    count(price, 1);
    shares.charge(group, price);
  }

  function end(price: number): void {
    count(price, -1);
    for (let next = takeNext(); next; next = takeNext()) next.start();
  }

  function takeNext(): Waiting | undefined {
    const ready = [...groups.keys()].filter((group) => nextOf(groups.get(group), fits) !== undefined);
    const [group] = ready.toSorted((one, other) => shares.of(one) - shares.of(other));
    const taken = group === undefined ? undefined : takeFrom(groups, group, fits);
    if (group !== undefined && taken) enter(group, taken.price);
    return taken;
  }

  async function refuse(): Promise<never> {
    budgets.refused('waiting');
    throw new AppError('TooManyRequests', refusal(maxWaitingPerCaller));
  }

  function wait(caller: string, group: string, price: number): Promise<void> {
    const callers = groups.get(group) ?? new Map<string, Waiting[]>();
    const waiting = callers.get(caller) ?? [];
    if (waiting.length >= maxWaitingPerCaller) return refuse();
    groups.set(group, callers.set(caller, waiting));
    return new Promise((start) => void waiting.push({ price, start }));
  }

  return {
    async begin(caller, { group = caller, price = 1 } = {}) {
      if (fits({ price })) enter(group, price);
      else await wait(caller, group, price);
      let isOver = false;
      return () => {
        if (!isOver) end(price);
        isOver = true;
      };
    },
  };
}

/** The work that runs, and how much of it is large. */
function createPlaces(atOnce: number, large: Options['large']) {
  const running = { all: 0, large: 0 };
  const isLarge = (price: number) => large !== undefined && price >= large.price;
  return {
    fits: ({ price }: { price: number }) =>
      running.all < atOnce && !(isLarge(price) && running.large >= (large?.atOnce ?? 0)),
    count(price: number, by: number): void {
      running.all += by;
      if (isLarge(price)) running.large += by;
    },
  };
}

/** Takes what waits first of a group and fits. The next turn of its caller comes after those of the others. */
function takeFrom(
  groups: Map<string, Callers>,
  group: string,
  fits: (work: Waiting) => boolean,
): Waiting | undefined {
  const callers = groups.get(group);
  const caller = nextOf(callers, fits);
  if (!callers || caller === undefined) return undefined;
  const waiting = callers.get(caller) ?? [];
  const taken = waiting.shift();
  callers.delete(caller);
  if (waiting.length > 0) callers.set(caller, waiting);
  if (callers.size === 0) groups.delete(group);
  return taken;
}

/** The first caller whose next work fits. */
function nextOf(callers: Callers | undefined, fits: (work: Waiting) => boolean): string | undefined {
  for (const [caller, [next]] of callers ?? []) if (next && fits(next)) return caller;
  return undefined;
}

/** How much each group has had; one that has had nothing for a while begins where the others are. */
function createVirtualTime() {
  const had = new Map<string, number>();
  let now = 0;
  const of = (group: string) => Math.max(now, had.get(group) ?? 0);
  return {
    of,
    charge(group: string, price: number): void {
      now = of(group);
      had.set(group, now + price);
      for (const [other, until] of had) if (until <= now) had.delete(other);
    },
  };
}
