import { createWorld, source } from './testing/world.ts';

const positionOf = (world: ReturnType<typeof createWorld>) => world.positions.all.get('test/a/one');

/** Passes until there is nothing left to read. */
async function readAll(world: ReturnType<typeof createWorld>): Promise<void> {
  const relay = world.start();
  while (await relay.pass(source));
}

/** A source that was read up to block 100, one pass per block, with a message in every tenth block. */
async function createReadWorld() {
  const world = createWorld();
  for (let block = 1; block <= 100; block += 1) {
    world.head = block;
    if (block % 10 === 0) world.logs.push({ block, to: 'b', id: `m${block}` });
    await world.start().pass(source);
  }
  world.asked.length = 0;
  return world;
}

describe('a source that goes back', () => {
  it.each([
    ['and stays behind what was read', 100, 60, 70],
    ['to exactly the number of the last block that was read', 100, 60, 100],
    ['to one block after the last one that was read', 100, 99, 101],
    ['and is ahead again by the next pass', 100, 60, 500],
    ['by one block', 100, 99, 100],
    ['to its start', 100, 0, 3],
  ])('%s loses no message, and none is delivered twice', async (_reason, _read, to, head) => {
    const world = await createReadWorld();
    const before = [...world.delivered];
    world.goBack(to, head);
    world.logs.push({ block: to + 1, to: 'b', id: 'new' }, { block: head, to: 'b', id: 'last' });
    await readAll(world);
    expect(world.delivered).toEqual([...before, 'new', 'last']);
    expect(positionOf(world)).toMatchObject({ block: head + 1, waiting: [] });
    world.head += 1;
    await readAll(world);
    expect(world.wentBack).toHaveLength(1);
  });

  it('is not read from its start again, but from a block near the one it went back to', async () => {
    const world = await createReadWorld();
    world.goBack(60, 70);
    await readAll(world);
    const [[from, to] = []] = world.wentBack;
    expect(from).toBe(101);
    expect(to).toBeLessThanOrEqual(61);
    expect(to).toBeGreaterThan(15);
    expect(world.asked[0]).toEqual([to, 70]);
  });

  it('is noticed after a restart, and while as many messages wait as fit', async () => {
    const world = createWorld();
    world.head = 10;
    world.away.add('b');
    for (let index = 0; index < 700; index += 1) world.logs.push({ block: 7, to: 'b', id: `m${index}` });
    await world.start().pass(source);
    expect(positionOf(world)?.waiting).toHaveLength(500);
    world.goBack(5, 12);
    world.logs.push({ block: 6, to: 'b', id: 'new' });
    world.away.clear();
    await readAll(world);
    expect(world.delivered).toEqual(['new']);
  });

  it('between reading and delivery: what its block has now is not taken for the message that waited', async () => {
    const world = createWorld();
    world.head = 5;
    world.away.add('b');
    world.logs.push({ block: 5, to: 'b', id: 'old' });
    await world.start().pass(source);
    world.away.clear();
    const relay = world.start();
    world.goBack(4, 5);
    world.logs.push({ block: 5, to: 'b', id: 'new' });
    await relay.pass(source);
    expect(world.delivered).toEqual(['new']);
    expect(positionOf(world)?.waiting).toEqual([]);
  });

  it('past the first block that can have messages is read from there', async () => {
    const world = createWorld();
    world.firstBlock = 50;
    world.head = 60;
    await readAll(world);
    world.goBack(20, 30);
    world.firstBlock = 25;
    world.logs.push({ block: 26, to: 'b', id: 'new' });
    await readAll(world);
    expect(world.delivered).toEqual(['new']);
    expect(world.asked).toEqual([
      [50, 60],
      [25, 30],
      [26, 26],
    ]);
  });
});

it('a long chain has few checkpoints, which reach back to its start', async () => {
  const world = createWorld();
  for (let block = 1; block <= 5000; block += 1) {
    world.head = block;
    await world.start().pass(source);
  }
  const checkpoints = positionOf(world)?.checkpoints ?? [];
  expect(checkpoints.length).toBeLessThan(50);
  expect(checkpoints.map(({ block }) => block)).toEqual(
    checkpoints.map(({ block }) => block).toSorted((one, other) => one - other),
  );
  // Each lies about twice as far back as the next one.
  const distances = checkpoints.map(({ block }) => 5000 - block);
  for (const [index, distance] of distances.entries()) {
    expect(distance).toBeLessThanOrEqual(Math.max(8, 2 * (distances[index + 1] ?? 0) + 2));
  }
  expect(distances[0]).toBe(4999);
});
