import { membersOfFeatures } from '../../../core/api/features.ts';
import { defineMetrics, type Metrics } from '../../../core/lib/metrics.ts';

/** Everything that a caller may use up, and what it bounds. */
const budgets = {
  memory: 'bytes that requests hold in memory, with a share for each network, account and workspace',
  largeBody: 'one body over 1 MiB of an account at a time',
  uploadSpeed: 'the slowest upload',
  accountRate: 'requests per second of an account',
  workspaceRate: 'requests per second in a workspace',
  waiting: 'requests of an account, an address, a network or a workspace that wait for its other requests',
  idempotencyKeys: 'new Idempotency-Keys of an account or workspace',
  unknownAccounts: 'look-ups of unknown keys and workspaces from one address, or from all',
  logStreams: 'logs that an account, a network or a workspace has open',
  eventStreams: 'streams of events of an account, a workspace, or all',
  networkSockets: 'WebSockets of a network',
  sourceSockets: 'WebSockets from one address',
  heldCalls: 'calls that wait until a network can be called, of the network and of its workspace',
  subscriptions: 'subscriptions of a connection, and of those with the same key, network or owner',
  kept: 'filters and subscriptions that callers of a network create',
  nodeConnections: 'calls that waited too long for one of the connections to their node',
  ...membersOfFeatures('budgets'),
};
type BudgetName = keyof typeof budgets;

export const budgetMetricTable = defineMetrics({
  refusals: {
    type: 'counter',
    name: 'slipway_budget_refusals_total',
    help: 'Requests, frames and connections refused because a budget was used up.',
    labels: {
      budget: Object.entries(budgets)
        .map(([name, meaning]) => `${name} (${meaning})`)
        .join(', '),
    },
  },
  memory: {
    type: 'gauge',
    name: 'slipway_request_memory_bytes',
    help: 'Bytes that requests and connections hold in memory, accurate to 64 KiB; limits.requestMemoryMiB bounds them.',
  },
});

export interface BudgetMetrics {
  refused(budget: BudgetName): void;
  /** The bytes that are held now. */
  memory(bytes: number): void;
}

const reportedStep = 64 * 1024;

/** The memory is reported in steps, because it changes several times per request. */
export function createBudgetMetrics(metrics: Metrics): BudgetMetrics {
  const { refusals, memory } = metrics.instruments(budgetMetricTable);
  let reported = 0;
  return {
    refused: (budget) => refusals.inc({ budget }),
    memory(bytes) {
      if (bytes !== 0 && Math.abs(bytes - reported) < reportedStep) return;
      if (bytes !== reported) memory.set(bytes);
      reported = bytes;
    },
  };
}

/** For tests, and for parts of the process that count nothing. */
export const noBudgetMetrics: BudgetMetrics = { refused: () => undefined, memory: () => undefined };
