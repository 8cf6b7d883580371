import { createWorld, source } from './testing/world.ts';

const waitingOf = (world: ReturnType<typeof createWorld>) =>
  world.positions.all.get('test/a/one')?.waiting.map(({ id }) => id);

it('reads on from where it was, in spans that a node answers', async () => {
  const world = createWorld();
  world.head = 4100;
  const relay = world.start();
  expect([await relay.pass(source), await relay.pass(source), await relay.pass(source)]).toEqual([
    true,
    true,
    false,
  ]);
  await relay.pass(source);
  world.head = 4102;
  world.logs.push({ block: 4101, to: 'b', id: 'm1' });
  await world.start().pass(source);
  expect(world.asked.filter(([first, last]) => first !== last)).toEqual([
    [0, 1999],
    [2000, 3999],
    [4000, 4100],
    [4101, 4102],
  ]);
  expect(world.delivered).toEqual(['m1']);
});

it('keeps the messages to an unreachable destination in order, and continues with others', async () => {
  const world = createWorld();
  world.head = 3;
  world.logs.push(
    { block: 1, to: 'b', id: 'm1' },
    { block: 1, to: 'c', id: 'm2' },
    { block: 2, to: 'b', id: 'm3' },
  );
  world.away.add('b');
  await world.start().pass(source);
  expect(world.delivered).toEqual(['m2']);
  expect(waitingOf(world)).toEqual(['m1', 'm3']);
  world.away.clear();
  await world.start().pass(source);
  expect(world.delivered).toEqual(['m2', 'm1', 'm3']);
  expect(waitingOf(world)).toEqual([]);
});

it('tries a message that is refused again later and later, and gives it up in the end', async () => {
  const world = createWorld();
  world.head = 1;
  world.logs.push({ block: 1, to: 'b', id: 'm1' });
  world.refused.add('m1');
  const relay = world.start();
  await relay.pass(source);
  const first = world.positions.all.get('test/a/one')?.waiting[0];
  expect(first).toMatchObject({ attempts: 1, retryAtMs: world.clock.nowMs() + 2000 });
  await relay.pass(source);
  expect(world.positions.all.get('test/a/one')?.waiting[0]).toEqual(first);
  let passes = 0;
  for (; (waitingOf(world) ?? []).length > 0 && passes < 1000; passes += 1) {
    world.clock.advance(600_000);
    await relay.pass(source);
  }
  expect(passes).toBe(219);
  const { text } = await world.metrics.scrape();
  expect(text).toContain('slipway_relay_messages_total{protocol="test",outcome="abandoned"} 1');
  expect(text).toContain('slipway_relay_pending_messages{protocol="test",source="a"} 0');
});

it('keeps its position while its source is away, and starts again after a reset', async () => {
  const world = createWorld();
  world.head = 9;
  const relay = world.start();
  await relay.pass(source);
  world.away.add('a');
  await expect(relay.pass(source)).rejects.toThrow('a is away');
  expect(world.positions.all.get('test/a/one')?.block).toBe(10);
  world.away.clear();
  world.head = 2;
  world.logs.push({ block: 1, to: 'b', id: 'm1' });
  await relay.pass({ ...source, incarnation: 'two' });
  expect(world.delivered).toEqual(['m1']);
});

it('runs until it is aborted', async () => {
  const world = createWorld();
  world.head = 1;
  world.logs.push({ block: 1, to: 'b', id: 'm1' });
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const save = world.positions.save;
  world.positions.save = async (key, position) => {
    await save(key, position);
    if (world.delivered.length > 0) resolve();
  };
  const running = world.start().run(controller.signal);
  await promise;
  controller.abort();
  await running;
  expect(world.delivered).toEqual(['m1']);
});
