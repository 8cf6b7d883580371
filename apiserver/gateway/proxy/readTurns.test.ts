import { noBudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { createReadInTurn } from './readTurns.ts';

const mebibyte = 1024 * 1024;

function setUp() {
  const readInTurn = createReadInTurn({ budgets: noBudgetMetrics, shareOf: (workspace) => workspace });
  const read: string[] = [];
  const send = (workspace: string, bytes = mebibyte) =>
    readInTurn({ networkUid: `chain of ${workspace}`, workspace, key: 'public', bytes }, () => {
      read.push(workspace);
    });
  return { read, send };
}

const nextTurn = () => new Promise(setImmediate);

it('reads a short body at once, and long ones one after the other', async () => {
  const { read, send } = setUp();
  for (let count = 0; count < 3; count += 1) void send('mallory');
  send('ann', 1000);
  expect(read).toEqual(['ann']);
  let turns = 0;
  while (read.length < 4) {
    await nextTurn();
    turns += 1;
    expect(read.length).toBeLessThanOrEqual(1 + turns);
  }
});

it('accounts take turns by the bytes that they send', async () => {
  const { read, send } = setUp();
  for (let count = 0; count < 100; count += 1) void send('mallory');
  const sent = [send('ann'), send('ann')];
  await Promise.all(sent);
  expect(read.length).toBeLessThanOrEqual(5);
});

it('refuses a key with hundreds that wait', async () => {
  const { send } = setUp();
  for (let count = 0; count < 513; count += 1) void send('mallory');
  await expect(send('mallory')).rejects.toMatchObject({ reason: 'TooManyRequests' });
  await send('ann');
});
