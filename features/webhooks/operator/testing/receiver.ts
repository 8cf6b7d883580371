import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSignedWith, parseSigningSecret } from '../../core/signature.ts';

/** A delivery as it arrived. */
export interface Arrived {
  path: string;
  id: string;
  timestamp: number;
  signature: string;
  body: string;
  /** The parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape.
  event: any;
}

type Reaction = number | ((arrived: Arrived, response: ServerResponse) => void);

/** A real HTTP server that receives deliveries. It answers 204 unless told otherwise. */
export interface Receiver {
  url: string;
  /** What arrived and was answered 2xx, in order. */
  received: Arrived[];
  /** Everything that arrived. */
  arrived: Arrived[];
  /** How it answers from now on; a function answers by itself. */
  react(reaction: Reaction): void;
  /** Refuses connections. */
  goDown(): Promise<void>;
  /** At the same address as before. */
  comeUp(): Promise<void>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Arrived[] = [];
  const arrived: Arrived[] = [];
  let reaction: Reaction = 204;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const header = (name: string) => String(request.headers[name]);
      const one: Arrived = {
        path: request.url ?? '',
        id: header('webhook-id'),
        signature: header('webhook-signature'),
        timestamp: Number(header('webhook-timestamp')),
        body,
        event: JSON.parse(body),
      };
      arrived.push(one);
      response.on('finish', () => response.statusCode < 300 && received.push(one));
      if (typeof reaction === 'function') reaction(one, response);
      else response.writeHead(reaction).end();
    });
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const down = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    arrived,
    react(next) {
      reaction = next;
    },
    goDown: down,
    comeUp: () => listen(port),
    close: down,
  };
}

/** Whether a delivery is signed with this secret. */
export function isValid({ id, timestamp, body, signature }: Arrived, secret: string): boolean {
  return isSignedWith(parseSigningSecret(secret), signature, { id, timestamp, body });
}
