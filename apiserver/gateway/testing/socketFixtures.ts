import { once } from 'node:events';
import { WebSocket } from 'ws';

/** For tests: a WebSocket client with one response per request. */
export interface SocketClient {
  socket: WebSocket;
  /** The next message, parsed. */
  next(): Promise<{
    id?: unknown;
    result?: unknown;
    error?: { code: number; message: string };
    params?: unknown;
  }>;
  ask(body: unknown): ReturnType<SocketClient['next']>;
  closed: Promise<{ code: number; reason: string }>;
}

export async function openSocket(url: string, headers: Record<string, string> = {}): Promise<SocketClient> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers });
  const messages: string[] = [];
  const waiting: ((text: string) => void)[] = [];
  socket.on('message', (data) => {
    const take = waiting.shift();
    if (take) take(String(data));
    else messages.push(String(data));
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await once(socket, 'open');
  const next = async () => {
    const text = messages.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)));
    return JSON.parse(text);
  };
  const ask = (body: unknown) => {
    socket.send(typeof body === 'string' ? body : JSON.stringify(body));
    return next();
  };
  return { socket, next, ask, closed };
}

/** The HTTP status with which an upgrade is refused; 101 if it is accepted. */
export function refusal(url: string): Promise<number | undefined> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'));
  return new Promise((resolve) => {
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('open', () => resolve(101));
  });
}
