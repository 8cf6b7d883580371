import type { ReplayedTransaction } from '../../core/api/rest/replay.ts';
import { AppError } from '../../core/lib/errors.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { createFollower, type Sent } from './follow.ts';

const sent = {
  index: 0,
  recorded: { hash: '0xa' },
  hash: '0xb',
  doubts: [],
  authorizations: [],
  isLast: true,
};

test('what was sent to a chain that is gone is given up at once, and says so', async () => {
  const answers: ReplayedTransaction[] = [];
  const gone = () => Promise.reject(new AppError('Conflict', 'the network began a new chain'));
  const follower = createFollower({
    reader: { outcomes: gone, createdBy: gone, effects: gone },
    clock: createManualClock(),
    isAwaited: () => false,
    settle: async (_sent, answer) => void answers.push(answer),
  });
  follower.add([sent as unknown as Sent]);
  await follower.finish();
  expect(answers).toEqual([
    {
      original_hash: '0xa',
      hash: '0xb',
      status: 'pending',
      match: false,
      differences: ['the network began a new chain'],
    },
  ]);
  expect(follower.failure()).toBe('the network began a new chain');
});
