import { authorityOf } from '../../../core/lib/authority.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import type { GatewayLimits } from '../deps.ts';
import type { AnswerHead } from './answerHead.ts';
import { type AnswerTaker, createConnection, endedForOthers, type NodeConnection } from './connection.ts';
import type { NodeRequest } from './requestText.ts';

/** Persistent connections to all nodes. Redirects are never followed, and nothing is retried or decoded. */
export interface NodeClient {
  /**
   * Sends a request and passes its answer on as it comes. Requests beyond the connections of a node wait in turn, and fail with
   * Unavailable when none of them is free in time.
   */
  send(request: NodeRequest, taker: AnswerTaker): Sending;
  /** Cuts all connections. */
  close(): Promise<void>;
}

/** A request under way. */
export interface Sending {
  /** Reads on after `data` returned false. */
  resume(): void;
  /** Ends it; the taker is told `error`. */
  abort(error: Error): void;
}

/** Connections to one node. */
const maxConnections = 256;
/** So many of them may carry answers that last for long: streams of events have no end. */
const maxLong = 64;
/** So many times as long as a caller may take nothing. */
const longAfter = 4;
/** How long an unused connection is kept: less than the usual 5 s of servers, which close it without a word. */
const keptMs = 4000;
const sweepMs = 500;

interface Idle {
  connection: NodeConnection;
  untilMs: number;
}

interface Waiting {
  request: NodeRequest;
  taker: AnswerTaker;
  /** Set once it has a connection. */
  connection: NodeConnection | undefined;
  /** When the caller sent it. */
  sinceMs: number;
}

interface Node {
  open: Set<NodeConnection>;
  /** The one that was used last is the last. */
  idle: Idle[];
  /** In the order in which they came. Each holds its body in memory, which bounds how many there are. */
  waiting: Set<Waiting>;
}

interface Deps {
  clock: Clock;
  limits: Pick<GatewayLimits, 'connectMs' | 'idleMs'>;
  budgets: Pick<BudgetMetrics, 'refused'>;
}

export function createNodeClient({ clock, limits, budgets }: Deps): NodeClient {
  const nodes = new Map<string, Node>();
  const all = createConnections();
  const sweep = createSweep(clock, () => checkAll(all.open, nodes.values(), { clock, limits, budgets }));

  const connect = (name: string, node: Node, first: Waiting) => {
    const connection = createConnection({
      upstream: first.request.upstream,
      limits,
      clock,
      onFree(head) {
        const next = takeFirst(node.waiting);
        if (next) return carry(connection, next);
        node.idle.push({ connection, untilMs: clock.nowMs() + keptMsAfter(head) });
      },
      onClosed() {
        node.open.delete(connection);
        node.idle = node.idle.filter((idle) => idle.connection !== connection);
        const next = takeFirst(node.waiting);
        if (next) connect(name, node, next);
        else if (node.open.size === 0) nodes.delete(name);
        all.remove(connection);
      },
    });
    node.open.add(connection);
    all.add(connection);
    sweep.arm();
    carry(connection, first);
  };
  return {
    send(request, taker) {
      const name = authorityOf(request.upstream);
      const node = nodeOf(nodes, name);
      const nowMs = clock.nowMs();
      const sending: Waiting = { request, taker, connection: undefined, sinceMs: nowMs };
      const free = takeIdle(node.idle, nowMs);
      if (free) carry(free, sending);
      else if (node.open.size < maxConnections) connect(name, node, sending);
      else node.waiting.add(sending);
      return sendingOf(node, sending);
    },
    async close() {
      sweep.cancel();
      const error = new Error('the server stops');
      failWaiting(nodes.values(), error);
      await all.close(error);
    },
  };
}

function nodeOf(nodes: Map<string, Node>, name: string): Node {
  const node = nodes.get(name) ?? { open: new Set(), idle: [], waiting: new Set() };
  nodes.set(name, node);
  return node;
}

function carry(connection: NodeConnection, next: Waiting): void {
  next.connection = connection;
  connection.send(next.request, next.taker);
}

function sendingOf(node: Node, waiting: Waiting): Sending {
  return {
    resume: () => waiting.connection?.resume(),
    abort(error) {
      if (waiting.connection) return waiting.connection.destroy(error);
      if (node.waiting.delete(waiting)) waiting.taker.failed(error);
    },
  };
}

function takeFirst(waiting: Set<Waiting>): Waiting | undefined {
  if (waiting.size === 0) return undefined;
  const [first] = waiting;
  if (first) waiting.delete(first);
  return first;
}

/** Those that have waited since then or longer. */
function* takeLate(waiting: Set<Waiting>, sinceMs: number): Generator<Waiting> {
  for (const one of waiting) {
    if (one.sinceMs > sinceMs) return;
    waiting.delete(one);
    yield one;
  }
}

function failWaiting(nodes: Iterable<Node>, error: Error): void {
  for (const { waiting } of nodes) {
    for (const { taker } of takeLate(waiting, Number.POSITIVE_INFINITY)) taker.failed(error);
  }
}

function tooBusy(): AppError {
  const message = `the ${maxConnections} connections to the node are all in use: send fewer calls at a time, and retry`;
  return new AppError('Unavailable', message, { retryAfterSeconds: 5 });
}

/** All connections, whatever they do. */
function createConnections() {
  const open = new Set<NodeConnection>();
  let onEmpty = () => {};
  return {
    open,
    add: (connection: NodeConnection) => void open.add(connection),
    remove(connection: NodeConnection): void {
      open.delete(connection);
      if (open.size === 0) onEmpty();
    },
    async close(error: Error): Promise<void> {
      if (open.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      onEmpty = resolve;
      for (const connection of open) connection.destroy(error);
      await promise;
    },
  };
}

/** The connection that was used last, unless it is about to be closed. */
function takeIdle(idle: Idle[], nowMs: number): NodeConnection | undefined {
  for (let last = idle.pop(); last; last = idle.pop()) {
    if (last.untilMs > nowMs && last.connection.isUsable()) return last.connection;
    last.connection.destroy(unused());
  }
  return undefined;
}

/** Does `work` now and then, while it returns true. One timer serves all connections. */
function createSweep(clock: Clock, work: () => boolean): { arm(): void; cancel(): void } {
  let cancel: (() => void) | undefined;
  const arm = () => {
    cancel ??= clock.after(
      sweepMs,
      () => {
        cancel = undefined;
        if (work()) arm();
      },
      'background',
    );
  };
  return { arm, cancel: () => cancel?.() };
}

/** Ends what has taken too long. Returns whether connections are left. */
function checkAll(
  open: ReadonlySet<NodeConnection>,
  nodes: Iterable<Node>,
  { clock, limits, budgets }: Deps,
): boolean {
  const nowMs = clock.nowMs();
  for (const connection of open) connection.checkTime(nowMs);
  for (const { idle, waiting, open: ofNode } of nodes) {
    closeExpired(idle, nowMs);
    endLongest(ofNode, nowMs - longAfter * limits.idleMs);
    for (const { taker } of takeLate(waiting, nowMs - limits.idleMs)) {
      budgets.refused('nodeConnections');
      taker.failed(tooBusy());
    }
  }
  return open.size > 0;
}

/** Of the calls that began before then, ends those that have lasted longest, unless there are few. */
function endLongest(open: ReadonlySet<NodeConnection>, beforeMs: number): void {
  if (open.size <= maxLong) return;
  const long = [...open]
    .map((connection) => ({ connection, sinceMs: connection.busySinceMs() ?? beforeMs }))
    .filter(({ sinceMs }) => sinceMs < beforeMs)
    .sort((a, b) => a.sinceMs - b.sinceMs);
  for (const { connection } of long.slice(0, Math.max(long.length - maxLong, 0))) {
    connection.destroy(endedForOthers(`more than ${maxLong} answers of the node last for minutes`));
  }
}

/** The oldest come first. */
function closeExpired(idle: Idle[], nowMs: number): void {
  const kept = idle.findIndex(({ untilMs }) => untilMs > nowMs);
  const expired = idle.splice(0, kept === -1 ? idle.length : kept);
  for (const { connection } of expired) connection.destroy(unused());
}

/** A server that says how long it waits is left a second before that. */
function keptMsAfter({ headers }: AnswerHead): number {
  const hint = headers['keep-alive'];
  const seconds = typeof hint === 'string' ? /(?:^|[,\s])timeout=(\d{1,6})/i.exec(hint)?.[1] : undefined;
  return seconds === undefined ? keptMs : Math.min(keptMs, Number(seconds) * 1000 - 1000);
}

function unused(): Error {
  return new Error('the connection was not used');
}
