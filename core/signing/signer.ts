import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../lib/errors.ts';
import type { NumberedTransaction, SignedTransaction } from './signing.ts';
import type { SignAnswer, SignJob } from './signWorker.ts';

/** Signs on worker threads, so that the event loop is not blocked. */
export interface Signer {
  /** In the order of `transactions`. The threads get the key for this job only. */
  sign(key: Uint8Array, transactions: readonly NumberedTransaction[]): Promise<SignedTransaction[]>;
  /** Ends the threads; jobs in progress reject with Unavailable. */
  close(): Promise<void>;
}

/** Each signs nearly two thousand transactions a second. */
const maxThreads = 2;
/** Fewer transactions are not worth a second thread. */
const minPerThread = 16;
/** A thread signs this many at a time, so that short jobs do not wait for long ones. */
const maxPerThread = 64;
/** What a thread makes is soon gone; without a limit, V8 would let it pile up before it collects. */
const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 };

/** Beside this file: as source in a checkout, as a bundle in the image. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './signWorker.ts' : './signWorker.js',
  import.meta.url,
);

/** Threads start with the first job. */
export function createSigner(threads = defaultThreads()): Signer {
  const workers = Array.from({ length: threads }, createThread);
  let turn = 0;

  function signSome(key: Uint8Array, transactions: readonly NumberedTransaction[]) {
    return Promise.all(
      slicesOf(transactions, threads).map((slice) => {
        turn = (turn + 1) % threads;
        return workers[turn]?.sign(key, slice) ?? [];
      }),
    );
  }

  return {
    async sign(key, transactions) {
      const signed: SignedTransaction[] = [];
      const atATime = threads * maxPerThread;
      for (let at = 0; at < transactions.length; at += atATime) {
        for (const some of await signSome(key, transactions.slice(at, at + atATime))) signed.push(...some);
      }
      return signed;
    },
    async close() {
      await Promise.all(workers.map(({ close }) => close()));
    },
  };
}

/** The event loop needs a processor of its own. */
function defaultThreads(): number {
  return Math.max(1, Math.min(maxThreads, availableParallelism() - 1));
}

function slicesOf<T>(items: readonly T[], threads: number): T[][] {
  const length = Math.max(minPerThread, Math.ceil(items.length / threads));
  const count = Math.ceil(items.length / length);
  return Array.from({ length: count }, (_, index) => items.slice(index * length, (index + 1) * length));
}

interface Waiting {
  resolve(signed: SignedTransaction[]): void;
  reject(error: AppError): void;
}

/** One thread. It does not keep the process alive; if it exits, the next job starts it again. */
function createThread() {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;

  const settle = (answer: SignAnswer) => {
    const waiter = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker?.unref();
    if ('signed' in answer) waiter?.resolve(answer.signed);
    else waiter?.reject(new AppError('Internal', `a transaction could not be signed: ${answer.problem}`));
  };
  const fail = () => {
    worker = undefined;
    for (const { reject } of waiting.values()) {
      reject(new AppError('Unavailable', 'signing was interrupted; retry', { retryAfterSeconds: 1 }));
    }
    waiting.clear();
  };
  const start = () => {
    const started = new Worker(workerFile, { resourceLimits }).on('message', settle);
    // An error ends the thread as well.
    started.on('error', () => undefined).on('exit', () => void (worker === started && fail()));
    return started;
  };

  return {
    sign(key: Uint8Array, transactions: readonly NumberedTransaction[]): Promise<SignedTransaction[]> {
      worker ??= start();
      worker.ref();
      lastId++;
      const job: SignJob = { id: lastId, key, transactions };
      return new Promise((resolve, reject) => {
        waiting.set(job.id, { resolve, reject });
        worker?.postMessage(job);
      });
    },
    async close() {
      const ending = worker;
      fail();
      await ending?.terminate();
    },
  };
}
