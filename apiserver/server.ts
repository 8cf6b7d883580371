import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../core/lib/clock.ts';
import { answerClientError } from './http/pipeline/clientError.ts';

/** The gateway to the networks' own endpoints. It works on bare requests: express would cost it half its rate. */
interface RpcGateway {
  handle: RequestListener;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends WebSockets with 1001. */
  close(): Promise<void>;
}

export interface ServerOptions {
  app: RequestListener;
  gateway: RpcGateway;
  /** While it is, connections end with their next answer, so that clients turn to another replica. */
  isDraining(): boolean;
}

const rpcPrefix = '/rpc/';

/** The one server of REST and the gateway, not yet listening. */
export function createMainServer({ app, gateway, isDraining }: ServerOptions): Server {
  const server = createServer((request, response) => {
    if (isDraining()) response.shouldKeepAlive = false;
    const listener = request.url?.startsWith(rpcPrefix) ? gateway.handle : app;
    listener(request, response);
  });
  // Longer than the idle time of usual proxies, so that none of them sends on a connection that just ends.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 30_000;
  server.requestTimeout = 120_000;
  server.on('clientError', answerClientError);
  server.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith(rpcPrefix)) return gateway.handleUpgrade(request, socket, head);
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  return server;
}

/** Resolves when the server listens; rejects when the port cannot be had. */
export function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const sweepIntervalMs = 50;

/**
 * Stops accepting and resolves when the last answer is out; after `limitMs` what is left is cut off. Node ends idle
 * connections only at the call of close, so those that become idle later are ended here.
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
