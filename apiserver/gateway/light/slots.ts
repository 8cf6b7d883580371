import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from '../../http/limits/budgetMetrics.ts';

/** Where calls that a node can take a few of at a time wait for their turn. */
export interface Slots {
  /**
   * Resolves when the node of a network can take so many more calls, or when `caller` has gone. Call the returned function when they
   * have ended. Rejects with TooManyRequests if too many wait.
   */
  begin(network: string, calls: number, caller: Caller): Promise<() => void>;
}

/** A response or a WebSocket. */
interface Caller {
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

interface Waiting {
  calls: number;
  start(): void;
}

interface Node {
  taken: number;
  waiting: Waiting[];
}

const maxWaiting = 512;

/** At most `atOnce` calls of each network at a time; the others wait in order. A message of more calls waits for all of them. */
export function createSlots(atOnce: number, metrics: Pick<BudgetMetrics, 'refused'>): Slots {
  const nodes = new Map<string, Node>();

  function next(network: string, node: Node): void {
    for (let first = node.waiting[0]; first && node.taken + first.calls <= atOnce; first = node.waiting[0]) {
      node.waiting.shift();
      node.taken += first.calls;
      first.start();
    }
    if (node.taken === 0 && node.waiting.length === 0) nodes.delete(network);
  }

  function wait(network: string, node: Node, { calls, caller }: { calls: number; caller: Caller }) {
    return new Promise<boolean>((resolve) => {
      const waiting = { calls, start: () => settle(true) };
      const leave = () => {
        node.waiting.splice(node.waiting.indexOf(waiting), 1);
        settle(false);
        next(network, node);
      };
      const settle = (isTurn: boolean) => {
        caller.off('close', leave);
        resolve(isTurn);
      };
      caller.once('close', leave);
      node.waiting.push(waiting);
    });
  }

  return {
    async begin(network, given, caller) {
      const calls = Math.min(given, atOnce);
      const node = nodes.get(network) ?? { taken: 0, waiting: [] };
      nodes.set(network, node);
      if (node.waiting.length >= maxWaiting) {
        metrics.refused('waiting');
        throw tooMany();
      }
      if (node.waiting.length === 0 && node.taken + calls <= atOnce) node.taken += calls;
      else if (!(await wait(network, node, { calls, caller }))) return () => {};
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        node.taken -= calls;
        next(network, node);
      };
    },
  };
}

function tooMany(): AppError {
  const message = `${maxWaiting} calls that execute contracts wait for the node of the network: wait for their answers`;
  return new AppError('TooManyRequests', message, { retryAfterSeconds: 1 });
}
