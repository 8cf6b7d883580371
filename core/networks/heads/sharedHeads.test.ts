import { createManualClock } from '../../lib/manualClock.ts';
import type { OpenHeads } from './openHeads.ts';
import { createSharedHeads, type Head, type HeadsEndpoint } from './sharedHeads.ts';
import { subscriptions } from './subscriptions.ts';

const subscription = subscriptions.evm;
if (!subscription) throw new Error('EVM chains have subscriptions');

function setUp() {
  const clock = createManualClock(0);
  const opened: (Parameters<OpenHeads>[0] & { isClosed: boolean })[] = [];
  let endpoint: HeadsEndpoint | undefined = {
    url: 'ws://one',
    subscription: subscription ?? { calls: [], headIn: () => undefined },
  };
  let change = (_uid: string) => {};
  const heads = createSharedHeads({
    clock,
    endpointOf: () => endpoint,
    onChange(listener) {
      change = listener;
      return () => {};
    },
    open(options) {
      const one = { ...options, isClosed: false };
      opened.push(one);
      return () => {
        one.isClosed = true;
      };
    },
  });
  const move = (url: string | undefined) => {
    endpoint = url === undefined || !endpoint ? undefined : { ...endpoint, url };
    change('n');
  };
  return { clock, heads, opened, move };
}

const numbersOf = (heard: (Head | undefined)[]) => heard.flatMap((head) => head?.number ?? []);

it('opens one subscription for all who follow a network, and closes it with the last', () => {
  const { heads, opened } = setUp();
  const [one, other]: (Head | undefined)[][] = [[], []];
  const leaveOne = heads.follow('n', (head) => one?.push(head));
  opened[0]?.onHead({ number: '7' });
  const leaveOther = heads.follow('n', (head) => other?.push(head));
  opened[0]?.onHead({ number: '8' });
  expect(opened).toHaveLength(1);
  expect([numbersOf(one ?? []), numbersOf(other ?? [])]).toEqual([
    ['7', '8'],
    ['7', '8'],
  ]);
  leaveOne();
  expect(opened[0]?.isClosed).toBe(false);
  leaveOther();
  expect(opened[0]?.isClosed).toBe(true);
});

it('tells nobody of a block that is known', () => {
  const { heads, opened } = setUp();
  const heard: (Head | undefined)[] = [];
  heads.follow('n', (head) => heard.push(head));
  heard.length = 0;
  for (const hash of ['0xab', '0xab', '0xcd']) opened[0]?.onHead({ number: '7', hash });
  expect(heard).toEqual([
    { number: '7', hash: '0xab' },
    { number: '7', hash: '0xcd' },
  ]);
});

it('opens again after the node ended it, later each time that it fails', () => {
  const { clock, heads, opened } = setUp();
  heads.follow('n', () => {});
  opened[0]?.onEnd();
  clock.advance(499);
  expect(opened).toHaveLength(1);
  clock.advance(1);
  expect(opened).toHaveLength(2);
  opened[1]?.onEnd();
  clock.advance(999);
  expect(opened).toHaveLength(2);
  clock.advance(1);
  opened[2]?.onHead({ number: '1' });
  opened[2]?.onEnd();
  clock.advance(500);
  expect(opened).toHaveLength(4);
});

it('goes to the node that a network has now, and asks nothing while it has none', () => {
  const { clock, heads, opened, move } = setUp();
  heads.follow('n', () => {});
  move('ws://two');
  expect(opened.map(({ url, isClosed }) => [url, isClosed])).toEqual([
    ['ws://one', true],
    ['ws://two', false],
  ]);
  opened[1]?.onEnd();
  move(undefined);
  clock.advance(60_000);
  expect(opened).toHaveLength(2);
});

it('is subscribed once the node has accepted the subscription, and until that ends', () => {
  const { clock, heads, opened } = setUp();
  const heard: unknown[] = [];
  heads.follow('n', (head) => heard.push(head ?? heads.isSubscribed('n')));
  opened[0]?.onHead({ number: '7' });
  expect(heads.isSubscribed('n')).toBe(false);
  opened[0]?.onBegin();
  expect(heads.isSubscribed('n')).toBe(true);
  opened[0]?.onEnd();
  expect(heads.isSubscribed('n')).toBe(false);
  clock.advance(500);
  opened[1]?.onBegin();
  // The first and the last of them are when it began to be followed, and when it was lost: then it is asked instead.
  expect(heard).toEqual([false, { number: '7' }, true, false, true]);
});

it('leaves no subscription behind when it is closed', () => {
  const { clock, heads, opened } = setUp();
  heads.follow('n', () => {});
  heads.close();
  clock.advance(60_000);
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true]);
});

describe('the newest block in messages of nodes', () => {
  it.each([
    [
      'evm',
      { params: { subscription: '0x1', result: { number: '0x1f', hash: '0xab' } } },
      { number: '31', hash: '0xab' },
    ],
    ['evm', { id: 1, result: '0x0' }, { number: '0' }],
    ['evm', { id: 1, error: { code: -32601 } }, undefined],
    ['evm', { id: 0, result: '0x9ce59a13059e417087c02d3236a0b1cc' }, undefined],
    [
      'solana',
      { method: 'slotNotification', params: { result: { slot: 12, parent: 11, root: 1 } } },
      { number: '12' },
    ],
    ['solana', { id: 0, result: 3 }, undefined],
    ['thorchain', { result: { data: { value: { header: { height: '44' } } } } }, { number: '44' }],
    ['thorchain', { result: { sync_info: { latest_block_height: '9' } } }, { number: '9' }],
    ['thorchain', { result: {} }, undefined],
  ] as const)('%s: %j', (family, message, head) => {
    expect(subscriptions[family]?.headIn(message)).toEqual(head);
  });
});
