import type { Metrics } from '../../core/lib/metrics.ts';

/**
 * How a request ended: the node answered; the gateway refused the calls by policy; the caller's mistake; no such URL;
 * the network did not come up in time; the node failed; the caller went away.
 */
export type Outcome = 'ok' | 'refused' | 'badRequest' | 'notFound' | 'unavailable' | 'nodeFailed' | 'aborted';

export interface Meters {
  /** `service` is a key of the service table or «none». */
  request(service: string, outcome: Outcome, durationMs: number): void;
  /** Messages of clients over WebSocket. */
  message(outcome: 'ok' | 'refused'): void;
  held(change: 1 | -1): void;
  sockets(change: 1 | -1): void;
}

/** The gateway's metrics. Children are kept, because looking one up by its labels costs more than counting. */
export function createMeters(metrics: Metrics): Meters {
  const requests = metrics.counter('rpc_requests_total', 'Calls of endpoint URLs', ['service', 'outcome']);
  const seconds = metrics.histogram('rpc_request_seconds', 'Time to answer them', ['service']);
  const messages = metrics.counter('rpc_messages_total', 'Messages of clients over WebSocket', ['outcome']);
  const held = metrics.gauge('rpc_held', 'Calls that wait for a network to come up');
  const sockets = metrics.gauge('rpc_sockets', 'Open WebSocket connections');
  const counterOf = keep((service: string, outcome: string) => requests.labels(service, outcome));
  const secondsOf = keep((service: string) => seconds.labels(service));
  const messagesOf = keep((outcome: string) => messages.labels(outcome));
  return {
    request(service, outcome, durationMs) {
      counterOf(service, outcome).inc();
      secondsOf(service, '').observe(durationMs / 1000);
    },
    message: (outcome) => messagesOf(outcome, '').inc(),
    held: (change) => held.inc(change),
    sockets: (change) => sockets.inc(change),
  };
}

function keep<T>(create: (first: string, second: string) => T): (first: string, second: string) => T {
  const kept = new Map<string, T>();
  return (first, second) => {
    const key = `${first} ${second}`;
    const known = kept.get(key) ?? create(first, second);
    kept.set(key, known);
    return known;
  };
}
