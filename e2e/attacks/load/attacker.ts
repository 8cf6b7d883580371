import { readFileSync } from 'node:fs';
import { Client } from 'undici';

/** What an attacker sends. `{n}` in a path or a body is the number of the request. */
export interface Attack {
  origin: string;
  connections: number;
  requestsPerSecond: number;
  seconds: number;
  headers: Record<string, string>;
  /** Sent in turn. */
  requests: { method: 'GET' | 'POST'; path: string; body?: string }[];
}

/** What became of it. */
export interface Fire {
  /** Answers by their status, and requests that had none. */
  answers: Record<string, number>;
  /** Requests that were due while all connections still waited for their answers. */
  unsent: number;
}

const tickMs = 5;

/** `node attacker.ts <file>`: carries out the attack in the file, and prints what became of it. */
async function main(file = ''): Promise<void> {
  const attack = JSON.parse(readFileSync(file, 'utf8')) as Attack;
  const options = { keepAliveTimeout: 60_000, headersTimeout: 60_000, bodyTimeout: 60_000 };
  const clients = Array.from({ length: attack.connections }, () => new Client(attack.origin, options));
  const answers: Record<string, number> = {};
  let unsent = 0;
  const count = (answer: string | number) => {
    answers[answer] = (answers[answer] ?? 0) + 1;
  };
  // First in, first out, so that all of them are used.
  const idle = [...clients];

  async function send(client: Client, n: number): Promise<void> {
    const { method, path, body } = attack.requests[n % attack.requests.length] ?? {
      method: 'GET',
      path: '/',
    };
    const numbered = (text: string) => text.replaceAll('{n}', String(n));
    try {
      const request = { method, path: numbered(path), headers: attack.headers };
      const answer = await client.request({ ...request, body: body === undefined ? null : numbered(body) });
      await answer.body.dump();
      count(answer.statusCode);
    } catch (error) {
      count(error instanceof Error ? ((error as { code?: string }).code ?? error.name) : 'error');
    }
    idle.push(client);
  }

  const startMs = performance.now();
  const endMs = startMs + attack.seconds * 1_000;
  for (let n = 0; performance.now() < endMs; ) {
    // Based on the elapsed time, so that a late tick catches up on what it missed.
    const due = ((performance.now() - startMs) / 1_000) * attack.requestsPerSecond;
    for (; n < due; n += 1) {
      const client = idle.shift();
      if (client) void send(client, n);
      else unsent += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
  await Promise.all(clients.map((client) => client.destroy()));
  process.stdout.write(JSON.stringify({ answers, unsent } satisfies Fire));
}

if (import.meta.main) await main(process.argv[2]);
