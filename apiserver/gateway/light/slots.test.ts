import { EventEmitter } from 'node:events';
import { noBudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { createSlots } from './slots.ts';

const settle = () => new Promise(setImmediate);

function setUp() {
  const slots = createSlots(4, noBudgetMetrics);
  const started: string[] = [];
  const begin = (name: string, calls: number, caller = new EventEmitter()) =>
    slots.begin('network', calls, caller).then((end) => {
      started.push(name);
      return end;
    });
  return { slots, started, begin };
}

it('calls begin in order, as many as the node can take', async () => {
  const { started, begin } = setUp();
  const first = await begin('three', 3);
  void begin('two', 2);
  void begin('one', 1);
  await settle();
  expect(started).toEqual(['three']);
  first();
  first();
  await settle();
  expect(started).toEqual(['three', 'two', 'one']);
});

it('a message of more calls than the node can take waits for all of them', async () => {
  const { started, begin } = setUp();
  const first = await begin('one', 1);
  void begin('hundred', 100);
  await settle();
  expect(started).toEqual(['one']);
  first();
  await settle();
  expect(started).toEqual(['one', 'hundred']);
});

it('who has gone gives its turn to the next, and takes none', async () => {
  const { started, begin } = setUp();
  const first = await begin('four', 4);
  const caller = new EventEmitter();
  void begin('gone', 4, caller);
  void begin('next', 4);
  await settle();
  caller.emit('close');
  first();
  await settle();
  expect(started).toEqual(['four', 'gone', 'next']);
});

it('refuses more than 512 that wait, for this network alone', async () => {
  const { slots, begin } = setUp();
  await begin('four', 4);
  for (let count = 0; count < 512; count += 1) void begin('waiting', 1);
  await settle();
  await expect(begin('late', 1)).rejects.toMatchObject({ reason: 'TooManyRequests' });
  await slots.begin('other', 4, new EventEmitter());
});
