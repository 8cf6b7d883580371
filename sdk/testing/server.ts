import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server got it. */
interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape.
  body: any;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  text?: string;
  /** The connection ends without an answer. */
  isCut?: boolean;
}

export type Answering = (request: Received, response: ServerResponse) => Reply | undefined;

export interface LocalServer {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

/** An HTTP server on a free local port. An answer that is undefined was given to the response itself. */
export async function startServer(answer: Answering): Promise<LocalServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const { method = '', url = '', headers } = request;
    const entry = { method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) };
    received.push(entry);
    const reply = answer(entry, response);
    if (reply) send(response, reply);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, { status = 200, headers = {}, body, text, isCut }: Reply): void {
  if (isCut) return void response.destroy();
  const isJson = body !== undefined;
  response.writeHead(status, { ...(isJson ? { 'Content-Type': 'application/json' } : {}), ...headers });
  response.end(isJson ? JSON.stringify(body) : (text ?? ''));
}
