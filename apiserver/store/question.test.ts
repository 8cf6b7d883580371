import { toUnreachable } from '../../core/kube/client/apiError.ts';
import { AppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock, type ManualClock } from '../../core/lib/manualClock.ts';
import { createPresence, createQuestion, type Question } from './question.ts';

const never = new Promise<never>(() => undefined);
const unreachable = toUnreachable(new Error('connect ECONNREFUSED'));
const throttled = new AppError('TooManyRequests', 'slow down', { retryAfterSeconds: 7 });

let clock: ManualClock;
let answers: (() => Promise<string>)[];
let ask: Question<string>;
beforeEach(() => {
  clock = createManualClock();
  answers = [];
  const options = { clock, log: silentLog, presence: createPresence() };
  ask = createQuestion(options, () => answers.shift()?.() ?? Promise.reject(unreachable));
});

/** The outcome of a question, and how long it took. */
async function outcome(): Promise<{ answer: unknown; ms: number }> {
  const startMs = clock.nowMs();
  let answer: unknown = never;
  const asked = ask('').then(
    (value) => {
      answer = value;
    },
    (error: unknown) => {
      answer = error;
    },
  );
  while (answer === never) {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    if (answer === never) clock.advance(10);
  }
  await asked;
  return { answer, ms: clock.nowMs() - startMs };
}

it.each([
  ['is throttled', throttled, 7],
  ['may not read', new AppError('Forbidden', 'RBAC'), 1],
  ['meets a failing etcd', new AppError('Unavailable', 'etcdserver: leader changed'), 1],
])('a replica that %s does not know what others wrote', async (_how, error, retryAfterSeconds) => {
  answers = Array.from({ length: 100 }, () => () => Promise.reject(error));
  const { answer } = await outcome();
  expect(answer).toMatchObject({ reason: 'Unavailable', retryAfterSeconds });
});

it('who is asked to come back after the deadline is told so at once', async () => {
  answers = [() => Promise.reject(throttled)];
  expect((await outcome()).ms).toBe(0);
});

it('a refusal that passes is not the answer', async () => {
  answers = [() => Promise.reject(new AppError('Unavailable', 'leader changed')), async () => 'there'];
  expect((await outcome()).answer).toBe('there');
});

it('a connection that breaks once is not an absence', async () => {
  answers = [() => Promise.reject(unreachable), async () => 'there'];
  expect((await outcome()).answer).toBe('there');
});

it.each([
  ['cannot be reached', () => Promise.reject(unreachable)],
  ['does not answer', () => never],
])('that kube-apiserver %s is found out once, until it answers again', async (_how, read) => {
  answers = Array.from({ length: 100 }, () => read);
  expect(await outcome()).toEqual({ answer: undefined, ms: 2000 });
  expect(await outcome()).toEqual({ answer: undefined, ms: 100 });
  answers = [async () => 'there'];
  expect(await outcome()).toEqual({ answer: 'there', ms: 0 });
  answers = Array.from({ length: 100 }, () => read);
  expect(await outcome()).toEqual({ answer: undefined, ms: 2000 });
});

it('an answer that is late says that kube-apiserver is only slow', async () => {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  answers = [() => late, () => never];
  await outcome();
  resolve('there');
  await late;
  await new Promise(setImmediate);
  expect((await outcome()).ms).toBe(2000);
});
