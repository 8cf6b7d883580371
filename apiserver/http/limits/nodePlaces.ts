import type { Clock } from '../../../core/lib/clock.ts';
import type { BudgetMetrics } from './budgetMetrics.ts';
import type { Closing } from './closing.ts';
import { createConcurrencyLimit } from './concurrencyLimit.ts';
import { maxAnswers, maxAnswersOfKey, maxComputing, maxComputingOfKey, type NodeWork } from './nodeWork.ts';

/** The room that nodes have for calls, by network. The keys of a network share it. */
export interface NodePlaces {
  /** Resolves when the node may have the calls, or when the caller has gone. Rejects with TooManyRequests if too many wait. */
  begin(calls: PlacedCalls): Promise<NodePlace>;
}

interface PlacedCalls {
  networkUid: string;
  /** The key in the URL; absent: those who have an account. */
  key?: string;
  work: NodeWork;
  /** The response or the connection of the caller: when that closes, the calls wait no more. */
  connection?: Closing;
}

/** The room of some calls. */
export interface NodePlace {
  /** From so much later on, `cut` is called as soon as others wait for the room. It is to end the calls. */
  endInTime(afterMs: number, cut: () => void): void;
  end(): void;
}

/** As many as may wait for a turn of their account (`callTurns`). */
const maxWaiting = 2048;
/** How often it is looked whether others wait. */
const wantedMs = 5000;

export function createNodePlaces(metrics: Pick<BudgetMetrics, 'refused'>, clock: Clock): NodePlaces {
  const limit = (perCaller: number, perKey: number) =>
    createConcurrencyLimit({ perCaller, perKey, maxWaiting, metrics, kind: 'network' });
  const computing = limit(maxComputing, maxComputingOfKey);
  const answers = limit(maxAnswers, maxAnswersOfKey);
  return {
    async begin({ networkUid, work, ...asking }) {
      const taken = [
        { limit: answers, weight: work.answers },
        { limit: computing, weight: work.computing },
      ].filter(({ weight }) => weight > 0);
      const place = createPlace(clock, () => taken.some((one) => one.limit.isWanted(networkUid, asking.key)));
      try {
        for (const { limit, weight } of taken)
          place.add(await limit.begin(networkUid, { ...asking, weight }));
        return place;
      } catch (error) {
        place.end();
        throw error;
      }
    },
  };
}

function createPlace(clock: Clock, isWanted: () => boolean): NodePlace & { add(end: () => void): void } {
  const ends: (() => void)[] = [];
  let cancel: (() => void) | undefined;
  let isOver = false;
  return {
    add: (end) => void ends.push(end),
    endInTime(afterMs, cut) {
      if (isOver || cancel) return;
      const look = () => {
        if (isWanted()) cut();
        else cancel = clock.after(wantedMs, look, 'background');
      };
      cancel = clock.after(afterMs, look, 'background');
    },
    end() {
      isOver = true;
      cancel?.();
      for (const end of ends.splice(0)) end();
    },
  };
}
