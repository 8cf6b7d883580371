import { connect, type Socket } from 'node:net';
import { Pool } from 'undici';

/** A persistent connection that repeats the same call. A call rejects unless the response is a 200. */
export interface Client {
  call(): Promise<void>;
  close(): Promise<void>;
}

export type OpenClient = (url: string, body: string) => Promise<Client>;

/** An ordinary HTTP client, with its usual CPU cost. */
export const openUndici: OpenClient = async (url, body) => {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 1 });
  const headers = { 'content-type': 'application/json' };
  return {
    async call() {
      const answer = await pool.request({ method: 'POST', path: pathname, headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(text);
    },
    close: () => pool.close(),
  };
};

/** A bare socket, which costs almost nothing and leaves the CPU to what is measured. */
export const openRaw: OpenClient = async (url, body) => {
  const { host, hostname, port, pathname } = new URL(url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  const bytes = Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  const socket = await dial(hostname, Number(port));
  let received = '';
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    if (!isWhole(received)) return;
    const text = received;
    received = '';
    if (text.startsWith('HTTP/1.1 200')) settle?.resolve();
    else settle?.reject(new Error(text));
  });
  socket.on('error', (error) => settle?.reject(error));
  return {
    call: () =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        socket.write(bytes);
      }),
    close: async () => void socket.destroy(),
  };
};

export function dial(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

function isWhole(received: string): boolean {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, headEnd))?.[1];
  return length !== undefined && received.length >= headEnd + 4 + Number(length);
}
