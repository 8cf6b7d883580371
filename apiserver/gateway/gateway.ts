import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../core/lib/clock.ts';
import { withDeadline } from '../../core/lib/deadline.ts';
import { createThrottle } from '../../core/lib/throttle.ts';
import { noBudgetMetrics } from '../http/limits/budgetMetrics.ts';
import { createMemoryBudget } from '../http/limits/memoryBudget.ts';
import { createNodePlaces } from '../http/limits/nodePlaces.ts';
import { createRateLimit } from '../http/limits/rateLimit.ts';
import { createSourceOf } from '../http/limits/source.ts';
import type { GatewayCore } from './core.ts';
import { defaultLimits, type GatewayLimits, type RpcGatewayDeps } from './deps.ts';
import { createAssistance } from './light/assistance.ts';
import { maxKept } from './light/computing.ts';
import { createGatewayMetrics } from './metrics.ts';
import { createNodeClient } from './nodes/nodeClient.ts';
import { createOpenNodes } from './nodes/openNode.ts';
import { servicesOf } from './policy/families.ts';
import { createAccessCheck } from './proxy/admit.ts';
import { createCallTurns } from './proxy/callTurns.ts';
import { createForward } from './proxy/forward.ts';
import { createHttpHandler } from './proxy/httpHandler.ts';
import { createReadInTurn } from './proxy/readTurns.ts';
import { createBridges } from './sockets/bridges.ts';
import { createSubscriptionRooms } from './sockets/subscriptionRoom.ts';
import { createUpgradeHandler } from './sockets/upgradeHandler.ts';
import { createConfirmations } from './wake/confirmations.ts';
import { createNodeCalls } from './wake/nodeCalls.ts';
import { createReadiness } from './wake/readiness.ts';
import { createStrandedTransactions } from './wake/strandedTransactions.ts';

export interface RpcGateway {
  /** Answers a request whose path begins with `/rpc/`, or to the host name of a service. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Answers an upgrade, likewise. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends held requests (503) and open WebSockets (1012), waits for answers in flight, closes connections to nodes. */
  close(): Promise<void>;
}

const activityIntervalMs = 60_000;
const wakeIntervalMs = 1000;
const warnIntervalMs = 60_000;

/** Gives access to every network: `{publicUrl}/rpc/{network id}/{access key}/{service}` over HTTP and WebSocket. */
export function createRpcGateway(given: RpcGatewayDeps): RpcGateway {
  const limits = { ...defaultLimits, ...given.limits };
  const { clock } = given;
  const { core, close } = createCore(
    {
      ...given,
      wake: throttled(clock, wakeIntervalMs, given.wake),
      activity: throttled(clock, activityIntervalMs, given.activity),
    },
    limits,
  );
  const bridges = createBridges(core.deps, limits, core.budgets);
  const answerHttp = createHttpHandler(core);
  const answerUpgrade = createUpgradeHandler(core, bridges);
  const inFlight = createWorkSet();
  return {
    handle: (request, response) => inFlight.add(answerHttp(request, response)),
    handleUpgrade: (request, socket, head) => inFlight.add(answerUpgrade({ request, socket, head })),
    async close() {
      core.readiness.close();
      const deadline = { clock, limitMs: limits.drainMs, onLate: () => undefined };
      await Promise.all([withDeadline(deadline, inFlight.whenDone()), bridges.close()]);
      await close();
    },
  };
}

/** What HTTP and WebSocket share, and how it ends. */
function createCore(deps: RpcGatewayDeps, limits: GatewayLimits) {
  const { clock } = deps;
  const metrics = createGatewayMetrics(deps.metrics);
  const warn = createWarn(deps);
  const nodes = createNodeCalls({ ...deps, warn });
  const strandedTransactions = createStrandedTransactions({ clock, nodes });
  const confirmations = createConfirmations({ clock, nodes });
  const shared = sharedBudgets(deps, limits);
  const client = createNodeClient({ clock, limits, budgets: shared.budgets });
  const core: GatewayCore = {
    deps,
    limits,
    servicesOf: deps.servicesOf ?? servicesOf,
    readiness: createReadiness(deps, limits, metrics),
    forward: createForward(client),
    metrics,
    assistance: createAssistance({ ...deps, open: createOpenNodes({ ...deps, client }) }),
    confirmations,
    strandedTransactions,
    ...shared,
    access: createAccessCheck(deps.accessKeys, clock),
    countCalls: createCountCalls(deps),
    noteActivity: deps.activity,
    warn,
  };
  return {
    core,
    async close() {
      strandedTransactions.close();
      confirmations.close();
      await Promise.all([client.close(), nodes.close()]);
    },
  };
}

/** Calls `work` for a network at most once in `intervalMs`. */
function throttled(clock: Clock, intervalMs: number, work: (uid: string) => void): (uid: string) => void {
  const isDue = createThrottle(clock, intervalMs);
  return (uid) => {
    if (isDue.take(uid)) work(uid);
  };
}

function createCountCalls({ networks, countCalls }: RpcGatewayDeps): GatewayCore['countCalls'] {
  return (uid, count) => {
    const network = count > 0 && countCalls ? networks.find(uid) : undefined;
    if (network) countCalls?.(network.namespace, count);
  };
}

function createWarn({ clock, log }: Pick<RpcGatewayDeps, 'clock' | 'log'>): GatewayCore['warn'] {
  const isDue = createThrottle(clock, warnIntervalMs);
  return (network, message, reason) => void (isDue.take(network) && log.warn(message, { network, reason }));
}

/** The budgets that the gateway shares with REST, or its own, and what is spent by them. */
function sharedBudgets(
  { budgets = noBudgetMetrics, memory, places, sourceOf = createSourceOf(0), shares, clock }: RpcGatewayDeps,
  { memoryBytes }: GatewayLimits,
): Pick<
  GatewayCore,
  'budgets' | 'memory' | 'sourceOf' | 'turns' | 'readInTurn' | 'places' | 'kept' | 'subscriptionRooms'
> {
  const own = () => createMemoryBudget({ maxBytes: memoryBytes, metrics: budgets });
  const shareOf = (workspace: string) => shares?.of(workspace) ?? workspace;
  return {
    budgets,
    memory: memory ?? own(),
    sourceOf,
    turns: createCallTurns({ clock, budgets, shareOf }),
    readInTurn: createReadInTurn({ budgets, shareOf }),
    subscriptionRooms: createSubscriptionRooms({ budgets, shareOf }),
    places: places ?? createNodePlaces(budgets, clock),
    kept: createRateLimit(maxKept, clock, {
      describe: () =>
        `callers with the key in the URL created ${maxKept.burst} filters and subscriptions within five minutes: use fewer`,
      onRefused: () => budgets.refused('kept'),
    }),
  };
}

/** Work that has begun and not ended yet. Work never rejects. */
function createWorkSet() {
  let open = 0;
  let onEmpty = () => {};
  const leave = () => {
    open -= 1;
    if (open === 0) onEmpty();
  };
  return {
    add(work: Promise<unknown>): void {
      open += 1;
      void work.then(leave);
    },
    whenDone: (): Promise<void> =>
      new Promise((resolve) => {
        onEmpty = resolve;
        if (open === 0) resolve();
      }),
  };
}
