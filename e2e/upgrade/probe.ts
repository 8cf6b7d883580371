import { call } from '../lib/service.ts';

export interface Probe {
  /** Ends it; the answers that a client cannot cope with: 5xx other than a 503 that says when to retry. */
  stop(): Promise<{ count: number; wrong: string[] }>;
}

/** Reads steadily, one request at a time, as a client that does not repeat anything. */
export function startProbe(path: string): Probe {
  let isStopping = false;
  let count = 0;
  const wrong: string[] = [];

  async function run(): Promise<void> {
    while (!isStopping) {
      const answer = await call('GET', path).catch((error: unknown) => String(error));
      count += 1;
      if (typeof answer === 'string') wrong.push(answer);
      else if (answer.status >= 400 && !(answer.status === 503 && answer.headers.get('retry-after'))) {
        wrong.push(`${answer.status} ${JSON.stringify(answer.body)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  const running = run();
  return {
    async stop() {
      isStopping = true;
      await running;
      return { count, wrong };
    },
  };
}
