import { createWorld, source } from './testing/world.ts';

const positionOf = (world: ReturnType<typeof createWorld>) => world.positions.all.get('test/a/one');

/** A backlog of messages in few blocks. */
function createBacklog(count: number, perBlock: number) {
  const world = createWorld();
  for (let index = 0; index < count; index += 1) {
    world.logs.push({ block: 1 + Math.floor(index / perBlock), to: 'b', id: `m${index}` });
  }
  world.head = 1 + Math.floor(count / perBlock);
  return world;
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);

describe('a backlog', () => {
  it.each([
    ['more messages in one block than fit into a position', 1300, 1300],
    ['more messages in a span than fit into a position', 1300, 7],
  ])(
    '%s: all are delivered once and in order, and the position stays small',
    async (_reason, count, perBlock) => {
      const world = createBacklog(count, perBlock);
      let most = 0;
      const { save } = world.positions;
      world.positions.save = async (key, position) => {
        most = Math.max(most, position.waiting.length);
        await save(key, position);
      };
      for (let passes = 0; passes < 20 && world.delivered.length < count; passes += 1) {
        await world.start().pass(source);
      }
      expect(world.delivered).toEqual(ids(count));
      expect(most).toBe(500);
    },
  );

  it('that is too long for one answer is read in shorter spans, which then grow again', async () => {
    const world = createBacklog(100, 1);
    world.mostLogs = 10;
    world.head = 9000;
    const relay = world.start();
    let failures = 0;
    for (let passes = 0; passes < 100 && world.delivered.length < 100; passes += 1) {
      await relay.pass(source).catch(() => (failures += 1));
    }
    expect(world.delivered).toEqual(ids(100));
    while (await relay.pass(source));
    expect(failures).toBeGreaterThan(0);
    expect(positionOf(world)?.span).toBeUndefined();
  });

  it('gives others their turn: a pass starts no message after some seconds', async () => {
    const world = createBacklog(100, 100);
    world.onSend = () => world.clock.advance(1000);
    const hasMore = await world.start().pass(source);
    expect(world.delivered).toEqual(ids(5));
    expect(hasMore).toBe(false);
    await world.start().pass(source);
    expect(world.delivered).toEqual(ids(10));
  });
});

it('a destination that cannot be reached is asked less and less often', async () => {
  const world = createBacklog(1, 1);
  world.away.add('b');
  const relay = world.start();
  for (let passes = 0; passes < 600; passes += 1) {
    await relay.pass(source);
    world.clock.advance(500);
  }
  // Five minutes, in pauses of up to half a minute.
  expect(world.calls.get('b')).toBeLessThan(20);
  world.away.clear();
  world.clock.advance(30_000);
  await relay.pass(source);
  expect(world.delivered).toEqual(['m0']);
});

it('a delivery that was dropped is a failed attempt, which is repeated with a fresh key', async () => {
  const world = createBacklog(1, 1);
  world.dropped.set('test/m0/bring#0', 'its nonce was used');
  const relay = world.start();
  await relay.pass(source);
  expect(positionOf(world)?.waiting).toMatchObject([{ id: 'm0', attempts: 1 }]);
  world.clock.advance(2000);
  await relay.pass(source);
  expect(world.delivered).toEqual(['m0']);
  expect(positionOf(world)?.waiting).toEqual([]);
  const { text } = await world.metrics.scrape();
  expect(text).toContain('slipway_relay_messages_total{protocol="test",outcome="failed"} 1');
});
