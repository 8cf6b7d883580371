import { call } from '../lib/service.ts';

/** Reads from the service, one request after another, as a client that does not repeat anything. */
export interface Reader {
  reads(): number;
  /** How many answers were a 503 that says when to ask again. */
  announced(): number;
  /** All other answers than success. */
  wrong: string[];
  stop(): Promise<void>;
}

/** Fewer reads a second than an account may make, on machines of any speed. */
const pauseMs = 20;

/** Reads until it is stopped. */
export function startReader(): Reader {
  const wrong: string[] = [];
  let reads = 0;
  let announced = 0;
  let isStopping = false;

  async function read(): Promise<void> {
    const { status, headers, body } = await call('GET', '/v1alpha/networks?limit=1');
    if (status === 503 && headers.get('retry-after')) announced += 1;
    else if (status !== 200) wrong.push(`${status} ${JSON.stringify(body)}`);
  }

  const running = (async () => {
    while (!isStopping) {
      await read().catch((error: unknown) => wrong.push(String(error)));
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  return {
    wrong,
    reads: () => reads,
    announced: () => announced,
    async stop(): Promise<void> {
      isStopping = true;
      await running;
    },
  };
}
