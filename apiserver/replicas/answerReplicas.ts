import type { RequestListener } from 'node:http';
import type { Clock } from '../../core/lib/clock.ts';
import { isAppError, messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import { createQuestions } from './questions.ts';

/** Answers a question of another replica from the memory of this one; undefined if it has another form. */
export type AnswerReplica = (question: unknown) => unknown;

interface AnswerOptions {
  /** By the topics of questions. */
  topics: ReadonlyMap<string, AnswerReplica>;
  cursors: Cursors;
  clock: Pick<Clock, 'nowMs'>;
  log: Log;
}

const prefix = '/replicas/';

/** The path at which a replica is asked. */
export const pathOf = (topic: string, sealed: string): string => `${prefix}${topic}?${sealed}`;

/** Answers other replicas at the port that is not for callers. */
export function createAnswerReplicas({ topics, cursors, clock, log }: AnswerOptions): RequestListener {
  const questions = createQuestions(cursors, clock);
  const answerTo = (url: string): unknown => {
    const [path = '', sealed = ''] = url.split('?');
    const topic = path.startsWith(prefix) ? path.slice(prefix.length) : '';
    const answer = topics.get(topic);
    const question = answer && questions.open(topic, sealed);
    return question === undefined ? undefined : answer?.(question);
  };
  return ({ url = '' }, response) => {
    try {
      const answer = answerTo(url);
      if (answer === undefined) return void response.writeHead(404).end('not found\n');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    } catch (error) {
      if (!isAppError(error)) log.error('cannot answer another replica', { error: messageOf(error) });
      response.writeHead(isAppError(error) ? error.status : 500).end();
    }
  };
}
