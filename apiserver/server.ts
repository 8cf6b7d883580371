import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../core/lib/clock.ts';
import { AppError } from '../core/lib/errors.ts';
import { isGatewayRequest } from './gateway/route.ts';
import { answerClientError, refuseConnection } from './http/pipeline/clientError.ts';

/** The gateway to the endpoints of networks. It bypasses express, which would halve its throughput. */
interface RpcGateway {
  handle: RequestListener;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends WebSockets with 1012. */
  close(): Promise<void>;
}

export interface ServerOptions {
  app: RequestListener;
  gateway: RpcGateway;
  /** `installation.serviceDomain`: all its host names belong to the gateway. */
  serviceDomain?: string;
  /** While draining, connections are closed after their next answer, so that clients move to another replica. */
  isDraining(): boolean;
}

/** How often headers and requests that take too long are looked for. */
const checkMs = 5000;

/** The server for REST and the gateway, not yet listening. */
export function createMainServer(options: ServerOptions): Server {
  const { app, gateway, isDraining, serviceDomain = '' } = options;
  const server = createServer({ connectionsCheckingInterval: checkMs }, (request, response) => {
    if (isDraining()) response.shouldKeepAlive = false;
    const listener = isGatewayRequest(request, serviceDomain) ? gateway.handle : app;
    listener(request, response);
  });
  // Longer than proxies keep an idle connection (Traefik 90 s, load balancers up to 600 s), so that none of them reuses one
  // that is being closed.
  server.keepAliveTimeout = 620_000;
  server.headersTimeout = 10_000;
  server.requestTimeout = 120_000;
  server.on('clientError', answerClientError);
  server.on('upgrade', (request, socket, head) => {
    if (isGatewayRequest(request, serviceDomain)) return gateway.handleUpgrade(request, socket, head);
    // Node has taken its own listener away: without one, a reset connection would end the process.
    socket.on('error', () => socket.destroy());
    refuseConnection(
      socket,
      new AppError(
        'BadRequest',
        'this path accepts no upgrade: open WebSockets at the URLs in the endpoints of a network',
      ),
    );
  });
  return server;
}

const sweepIntervalMs = 50;

/**
 * Stops accepting connections and resolves when the last answer has been sent. After `limitMs` the remaining
 * connections are closed. Node only closes connections that are idle when `close` is called, so those that become idle
 * later are closed here.
 */
export function closeServer(server: Server, clock: Clock, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const endMs = clock.nowMs() + limitMs;
    const finish = () => {
      cancel();
      resolve();
    };
    const sweep = () => {
      if (clock.nowMs() >= endMs) {
        server.closeAllConnections();
        return finish();
      }
      server.closeIdleConnections();
      cancel = clock.after(sweepIntervalMs, sweep);
    };
    let cancel = clock.after(sweepIntervalMs, sweep);
    server.close(finish);
  });
}
