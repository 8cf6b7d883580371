import { Agent, request } from 'undici';
import { authorityOf } from '../../core/lib/authority.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { AppError, messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { ReplicaAddresses } from './addresses.ts';
import { pathOf } from './answerReplicas.ts';
import { createQuestions } from './questions.ts';

/** What the other replicas say. */
interface Answers {
  answers: unknown[];
  /** How many did not answer in time. */
  missing: number;
}

/** Asks every other replica what only its own memory has. Never rejects. */
export type AskReplicas = (topic: string, question: unknown) => Promise<Answers>;

interface AskOptions {
  addresses: ReplicaAddresses;
  /** The port that is not for callers. */
  port: number;
  cursors: Cursors;
  clock: Pick<Clock, 'nowMs'>;
  log: Log;
}

const limitMs = 2000;
const maxBytes = 8 * 1024 * 1024;

export function createAskReplicas({ addresses, port, cursors, clock, log }: AskOptions): {
  ask: AskReplicas;
  close(): Promise<void>;
} {
  const agent = new Agent({ connect: { timeout: limitMs }, maxResponseSize: maxBytes });
  const questions = createQuestions(cursors, clock);

  async function askOne(host: string, path: string): Promise<unknown> {
    const url = `http://${authorityOf({ host, port })}${path}`;
    const answer = await request(url, { dispatcher: agent, signal: AbortSignal.timeout(limitMs) });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new AppError('Unavailable', `status ${answer.statusCode}`);
    return JSON.parse(text);
  }

  return {
    async ask(topic, question) {
      try {
        const path = pathOf(topic, questions.seal(topic, question));
        const asked = (await addresses()).map((host) => askOne(host, path));
        const results = await Promise.allSettled(asked);
        const answers = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
        const failed = results.find((one) => one.status === 'rejected');
        if (failed) log.warn('another replica does not answer', { topic, reason: messageOf(failed.reason) });
        return { answers, missing: results.length - answers.length };
      } catch (error) {
        log.warn('cannot find the other replicas', { topic, reason: messageOf(error) });
        return { answers: [], missing: 1 };
      }
    },
    close: () => agent.destroy(),
  };
}
