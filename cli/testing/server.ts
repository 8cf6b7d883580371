import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

interface Asked {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** What to answer: a status and a body, or nothing when the response was written already. */
export type Answering = (
  asked: Asked,
  response: ServerResponse,
) => { status: number; body: unknown } | undefined;

export interface TestServer {
  url: string;
  asked: Asked[];
  close(): void;
}

/** A local server that answers as a test says. */
export async function startServer(answer: Answering): Promise<TestServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    asked.push(one);
    const given = answer(one, response);
    if (!given) return;
    response.writeHead(given.status, { 'Content-Type': 'application/json' });
    response.end(given.body === undefined ? '' : JSON.stringify(given.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
