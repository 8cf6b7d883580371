import { EventEmitter } from 'node:events';
import { noBudgetMetrics } from './budgetMetrics.ts';
import { createConcurrencyLimit } from './concurrencyLimit.ts';

const settle = () => new Promise(setImmediate);
const aCaller = () => Object.assign(new EventEmitter(), { destroyed: false });

/** Begins `count` requests and returns those that have started. */
function beginMany(limit: ReturnType<typeof createConcurrencyLimit>, caller: string, count: number) {
  const begun: { index: number; end: () => void }[] = [];
  for (let index = 0; index < count; index += 1) {
    void limit.begin(caller).then((end) => begun.push({ index, end }));
  }
  return begun;
}

it('limits the concurrent requests of a caller and queues the others in order', async () => {
  const begun = beginMany(createConcurrencyLimit({ perCaller: 2, metrics: noBudgetMetrics }), 'a', 4);
  await settle();
  expect(begun.map(({ index }) => index)).toEqual([0, 1]);
  begun[1]?.end();
  await settle();
  await settle();
  expect(begun.map(({ index }) => index)).toEqual([0, 1, 2]);
});

it('does not make callers wait for each other', async () => {
  const limit = createConcurrencyLimit({ perCaller: 1, metrics: noBudgetMetrics });
  beginMany(limit, 'greedy', 100);
  const begun = beginMany(limit, 'modest', 1);
  await settle();
  expect(begun).toHaveLength(1);
});

it('counts a request that is ended twice only once', async () => {
  const limit = createConcurrencyLimit({ perCaller: 1, metrics: noBudgetMetrics });
  const begun = beginMany(limit, 'a', 3);
  await settle();
  begun[0]?.end();
  begun[0]?.end();
  await settle();
  await settle();
  expect(begun).toHaveLength(2);
});

it('refuses a request when hundreds of the same caller wait already', async () => {
  const refused: string[] = [];
  const limit = createConcurrencyLimit({
    perCaller: 1,
    metrics: { refused: (budget) => void refused.push(budget) },
  });
  const begun = beginMany(limit, 'greedy', 513);
  await expect(limit.begin('greedy')).rejects.toMatchObject({
    reason: 'TooManyRequests',
    message: expect.stringContaining('512 requests waiting'),
  });
  expect(refused).toEqual(['waiting']);
  begun[0]?.end();
  await settle();
  void limit.begin('greedy');
  expect(begun).toHaveLength(2);
});

function setUp() {
  const limit = createConcurrencyLimit({ perCaller: 4, metrics: noBudgetMetrics, kind: 'network' });
  const started: string[] = [];
  const begin = (name: string, weight: number, connection = aCaller()) =>
    limit.begin('network', { weight, connection }).then((end) => {
      started.push(name);
      return end;
    });
  return { limit, started, begin };
}

it('requests that count for several begin in order, as many as fit', async () => {
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

it('a request that counts for more than may run waits for all of them', async () => {
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
  const connection = aCaller();
  void begin('gone', 4, connection);
  void begin('next', 4);
  await settle();
  connection.emit('close');
  first();
  await settle();
  expect(started).toEqual(['four', 'gone', 'next']);
});

it('who had gone before does not wait', async () => {
  const { limit, started, begin } = setUp();
  await begin('four', 4);
  const end = await begin('gone', 4, Object.assign(new EventEmitter(), { destroyed: true }));
  expect(started).toEqual(['four', 'gone']);
  expect(limit.isWanted('network')).toBe(false);
  end();
});

it('who goes as the last one ends takes no room from those that come next', async () => {
  const { limit, started, begin } = setUp();
  const last = await begin('four', 4);
  const connection = aCaller();
  void begin('gone', 4, connection);
  await settle();
  connection.emit('close');
  last();
  void begin('next', 4);
  await settle();
  void begin('waiting', 4);
  await settle();
  expect(started).toEqual(['four', 'next', 'gone']);
  expect(limit.isWanted('network')).toBe(true);
});

it('refuses more than 512 that wait, for this network alone', async () => {
  const { limit, begin } = setUp();
  await begin('four', 4);
  for (let count = 0; count < 512; count += 1) void begin('waiting', 1);
  await settle();
  await expect(begin('late', 1)).rejects.toMatchObject({ reason: 'TooManyRequests' });
  await limit.begin('other', { weight: 4 });
});

describe('keys of a caller', () => {
  function setUpKeys() {
    const limit = createConcurrencyLimit({ perCaller: 4, perKey: 3, metrics: noBudgetMetrics });
    const started: string[] = [];
    const begin = (key: string, weight = 1) =>
      limit.begin('network', { key, weight }).then((end) => {
        started.push(key);
        return end;
      });
    return { limit, started, begin };
  }

  it('one never has all places, so that another begins at once', async () => {
    const { limit, started, begin } = setUpKeys();
    for (let count = 0; count < 100; count += 1) void begin('public');
    await settle();
    expect(started).toEqual(['public', 'public', 'public']);
    expect(limit.isWanted('network', 'public')).toBe(true);
    void begin('admin');
    await settle();
    expect(started.slice(3)).toEqual(['admin']);
  });

  it('the next place is for the key that has fewest', async () => {
    const { started, begin } = setUpKeys();
    const first = begin('public');
    for (let count = 0; count < 100; count += 1) void begin('public');
    for (let count = 0; count < 3; count += 1) void begin('admin');
    await settle();
    expect(started).toEqual(['public', 'public', 'public', 'admin']);
    (await first)();
    await settle();
    expect(started.slice(4)).toEqual(['admin']);
  });

  it('what waits of one refuses nothing of another', async () => {
    const { begin } = setUpKeys();
    for (let count = 0; count < 3 + 512; count += 1) void begin('public');
    await settle();
    await expect(begin('public')).rejects.toMatchObject({ reason: 'TooManyRequests' });
    const end = await begin('admin');
    end();
  });

  it('what counts for more than a key may have waits for all that the key has', async () => {
    const { limit, started, begin } = setUpKeys();
    const first = await begin('public');
    void begin('public', 100);
    await settle();
    expect(started).toEqual(['public']);
    first();
    await settle();
    expect(started).toEqual(['public', 'public']);
    expect(limit.isWanted('network', 'public')).toBe(false);
  });

  it('what waits for others of its own key wants nothing of another', async () => {
    const { limit, begin } = setUpKeys();
    for (let count = 0; count < 100; count += 1) void begin('public');
    void begin('admin');
    await settle();
    expect(limit.isWanted('network', 'public')).toBe(true);
    expect(limit.isWanted('network', 'admin')).toBe(false);
    void begin('another');
    expect(limit.isWanted('network', 'admin')).toBe(true);
  });
});
