import { EventFragment, Interface } from 'ethers';
import { type EventQuery, emittedEvent, emittedEvents, eventOf, eventsByTopic, eventsOf } from './logs.ts';

const declarations = [
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Batch(tuple(uint256 id, bool isNew)[] items)',
  'event Same(uint256 a)',
  'event Same(address a)',
];
const own = new Interface(declarations);
const abi = JSON.parse(own.formatJson());
const place = { address: '0xc', blockNumber: '0x10', transactionHash: '0xaa', logIndex: '0x2' };
const [from, to] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`];
const transfer = { ...place, ...own.encodeEventLog('Transfer', [from, to, 7n]) };

const knownIn = (of: unknown) => eventsByTopic(eventsOf(of as object[]));

it('an event has its values by their names, and its place', () => {
  expect(emittedEvent(transfer, knownIn(abi))).toEqual({
    block: 16,
    transaction: '0xaa',
    index: 2,
    event: 'Transfer(address,address,uint256)',
    args: { from, to, value: '7' },
  });
  const batch = { ...place, ...own.encodeEventLog('Batch', [[[1n, true]]]) };
  expect(emittedEvent(batch, knownIn(abi)).args).toEqual({ items: [{ id: '1', isNew: true }] });
});

it('an indexed text is its hash, as the log has it', () => {
  const named = new Interface(['event Named(string indexed name)']);
  const log = { ...place, ...named.encodeEventLog('Named', ['ada']) };
  expect(emittedEvent(log, knownIn(JSON.parse(named.formatJson()))).args).toEqual({ name: log.topics[1] });
});

it('an event that nobody knows, or whose indexed inputs are others, is shown as it is', () => {
  const raw = { event: null, topics: transfer.topics, data: transfer.data };
  expect(emittedEvent(transfer, eventsByTopic([]))).toMatchObject(raw);
  expect(emittedEvent(transfer, eventsByTopic([eventOf('Transfer(address,address,uint256)')]))).toMatchObject(
    raw,
  );
});

it.each([
  ['a name', 'Transfer'],
  ['name and types', 'Transfer(address,address,uint256)'],
  ['a declaration', 'event Transfer(address indexed from, address indexed to, uint256 value)'],
])('%s means the event of the ABI', (_what, text) => {
  expect(emittedEvent(transfer, eventsByTopic([eventOf(text, abi)])).args).toEqual({ from, to, value: '7' });
});

it.each([
  ['Same', abi, 'several events are called "Same": write Same(address) or Same(uint256)'],
  ['Other', abi, 'the contract has no event "Other": it has Batch((uint256,bool)[]), Same(address)'],
  ['Transfer', undefined, 'the contract is not verified: write "Transfer" as'],
  ['Transfer(', abi, '"Transfer(" is not an event: write it as'],
])('%s is refused with what to write instead', (text, known, message) => {
  expect(() => eventOf(text, known)).toThrow(message);
});

describe('a search', () => {
  const asked: unknown[] = [];
  const read = async (method: string, params: unknown[]) => {
    if (method === 'eth_blockNumber') return '0x2ee0';
    asked.push(params[0]);
    return [transfer, { ...transfer, logIndex: '0x3' }];
  };
  beforeEach(() => {
    asked.length = 0;
  });
  const search = async (query: Partial<EventQuery>) => {
    const found = [];
    for await (const one of emittedEvents(read, { address: '0xc', known: eventsOf(abi), ...query }))
      found.push(one);
    return found.map(({ index }) => index);
  };

  const ranges = [
    { address: '0xc', fromBlock: '0x1b59', toBlock: '0x2ee0' },
    { address: '0xc', fromBlock: '0x7d1', toBlock: '0x1b58' },
    { address: '0xc', fromBlock: '0x0', toBlock: '0x7d0' },
  ];

  it('is for all blocks, the newest events first', async () => {
    expect(await search({})).toEqual([3, 2, 3, 2, 3, 2]);
    expect(asked).toEqual(ranges);
  });

  it('goes back no further than events are taken', async () => {
    for await (const _one of emittedEvents(read, { address: '0xc', known: [] })) break;
    expect(asked).toEqual(ranges.slice(0, 1));
  });

  it('ends at the newest block', async () => {
    await search({ first: 7001, last: 90_000 });
    expect(asked).toEqual(ranges.slice(0, 1));
  });

  it('is for no blocks before a fork, unless they are named', async () => {
    expect(await search({ forkBlock: '11990' })).toEqual([3, 2]);
    expect(await search({ forkBlock: '12000' })).toEqual([]);
    expect(asked).toEqual([{ address: '0xc', fromBlock: '0x2ed7', toBlock: '0x2ee0' }]);
  });

  it('that ends before it begins is a mistake', async () => {
    await expect(search({ first: 10, last: 5 })).rejects.toThrow('block 10 comes after block 5');
  });

  it('is for the blocks and the event that are named, 5,000 blocks at a time', async () => {
    const only = eventOf('Transfer', abi);
    await search({ first: 10, last: 7000, only });
    const topics = [only.topicHash];
    expect(asked).toEqual([
      { address: '0xc', fromBlock: '0x7d1', toBlock: '0x1b58', topics },
      { address: '0xc', fromBlock: '0xa', toBlock: '0x7d0', topics },
    ]);
  });

  describe('in many logs without data, by an ABI of many events,', () => {
    const count = 300;
    const known = Array.from({ length: count }, (_, at) => EventFragment.from(`event E${at}()`));
    const unknown = { ...place, topics: [`0x${'1'.repeat(64)}`], data: '0x' };
    const readMany = async (method: string) =>
      method === 'eth_blockNumber' ? '0x0' : Array.from({ length: count }, () => unknown);
    const searchMany = async () => {
      let found = 0;
      for await (const _one of emittedEvents(readMany, { address: '0xc', known })) found += 1;
      return found;
    };

    it('hashes each event once', async () => {
      const hashed = jest.spyOn(EventFragment.prototype, 'topicHash', 'get');
      expect(await searchMany()).toBe(count);
      expect(hashed).toHaveBeenCalledTimes(count);
      hashed.mockRestore();
    });

    it('lets others have turns', async () => {
      let turns = 0;
      const others = (): NodeJS.Immediate =>
        setImmediate(() => {
          turns += 1;
          next = others();
        });
      let next = others();
      await searchMany();
      clearImmediate(next);
      expect(turns).toBeGreaterThan(1);
    });
  });
});
