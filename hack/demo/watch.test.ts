import { describeStatus } from './watch.ts';

describe('the status line of the demo', () => {
  it.each([
    ['there is no status yet', {}, 'Pending'],
    ['a step is running', { state: 'Pending', execution: { currentStep: 2, totalSteps: 4 } }, 'Pending 2/4'],
    ['there is a message', { state: 'Error', message: 'no such secret' }, 'Error: no such secret'],
    [
      'all fields are set',
      { state: 'Operational', message: 'RPC answers', execution: { currentStep: 4, totalSteps: 4 } },
      'Operational 4/4: RPC answers',
    ],
  ])('%s', (_reason, status, line) => {
    expect(describeStatus(status)).toBe(line);
  });
});
