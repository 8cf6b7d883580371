import { PassThrough } from 'node:stream';
import { prompt } from './prompt.ts';

/** A terminal on which `typed` is typed once the question is there. */
function ask(typed: string) {
  const from = new PassThrough();
  const to = new PassThrough();
  const interruption = new AbortController();
  to.once('data', () => from.write(typed));
  const { signal } = interruption;
  const answer = prompt({
    from,
    to,
    question: 'Go on? ',
    isHidden: false,
    signal,
    interrupt: () => interruption.abort(),
  });
  return { answer, signal };
}

it('answers the line that was typed', async () => {
  expect(await ask('yes\r').answer).toBe('yes');
});

it('Ctrl-C interrupts the command as the signal does elsewhere', async () => {
  const { answer, signal } = ask('y\u0003');
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  expect(signal.aborted).toBe(true);
});

it('Ctrl-D is an empty answer', async () => {
  const { answer, signal } = ask('\u0004');
  expect([await answer, signal.aborted]).toEqual(['', false]);
});
