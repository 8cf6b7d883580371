import { defineMetrics, type Metrics } from '../../core/lib/metrics.ts';

/** How a request ended. */
const outcomes = {
  ok: 'the node answered',
  refused: 'the method policy forbids every call of the request',
  badRequest: 'the request is not valid, or its body is too large',
  notFound: 'no such URL',
  unavailable: 'the network did not become operational in time, or a limit was reached',
  nodeFailed: 'the node failed',
  aborted: 'the client went away, or did not read the answer',
};

export type CallOutcome = keyof typeof outcomes;

const labels = { service: 'service of the endpoint URL, such as rpc; none when the URL is not known' };

export const gatewayMetricTable = defineMetrics({
  requests: {
    type: 'counter',
    name: 'slipway_rpc_requests_total',
    help: 'Requests to endpoint URLs: HTTP requests and WebSocket handshakes.',
    labels: { ...labels, outcome: describeValues(outcomes) },
  },
  requestDuration: {
    type: 'histogram',
    name: 'slipway_rpc_request_duration_seconds',
    help: 'Time in seconds to answer a request to an endpoint URL, including the time that it was held.',
    labels,
  },
  messages: {
    type: 'counter',
    name: 'slipway_rpc_websocket_messages_total',
    help: 'Messages that clients sent over WebSocket.',
    labels: { outcome: 'ok or refused (by the method policy)' },
  },
  held: {
    type: 'gauge',
    name: 'slipway_rpc_held_requests',
    help: 'Requests held until their network is operational.',
  },
  connections: {
    type: 'gauge',
    name: 'slipway_rpc_websocket_connections',
    help: 'Open WebSocket connections of clients.',
  },
});

export interface GatewayMetrics {
  /** `service` is a key of the service table or "none". */
  request(service: string, outcome: CallOutcome, durationMs: number): void;
  /** A message that a client sent over WebSocket. */
  message(outcome: 'ok' | 'refused'): void;
  held(change: 1 | -1): void;
  sockets(change: 1 | -1): void;
}

/** The gateway's metrics. Children are cached, because looking one up by its labels costs more than counting. */
export function createGatewayMetrics(metrics: Metrics): GatewayMetrics {
  const { requests, requestDuration, messages, held, connections } = metrics.instruments(gatewayMetricTable);
  const counterOf = keep((service: string, outcome: string) => requests.labels(service, outcome));
  const durationOf = keep((service: string) => requestDuration.labels(service));
  const messagesOf = keep((outcome: string) => messages.labels(outcome));
  return {
    request(service, outcome, durationMs) {
      counterOf(service, outcome).inc();
      durationOf(service, '').observe(durationMs / 1000);
    },
    message: (outcome) => messagesOf(outcome, '').inc(),
    held: (change) => held.inc(change),
    sockets: (change) => connections.inc(change),
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

function describeValues(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([value, meaning]) => `${value} (${meaning})`)
    .join(', ');
}
