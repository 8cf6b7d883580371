import { createManualClock } from '../../../core/lib/manualClock.ts';
import { noBudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { servicesOf } from '../policy/families.ts';
import { type Screened, screen } from '../policy/screen.ts';
import { call } from '../testing/fixtures.ts';
import { createOpenCalls } from './openCalls.ts';
import { createSubscriptionRooms } from './subscriptionRoom.ts';
import { createSubscriptions } from './subscriptions.ts';

type Network = Parameters<typeof servicesOf>[0];

const light: Network = { type: 'Ethereum', participants: 0 };
const settle = () => new Promise(setImmediate);

function screened(calls: unknown, network = light): Screened {
  const policy = servicesOf(network).get('ws');
  if (policy?.kind !== 'jsonRpc') throw new Error('ws is not JSON-RPC');
  return screen(Buffer.from(JSON.stringify(calls)), { access: 'public', policy });
}
const toLogs = (id: unknown = 1) => screened(call('eth_subscribe', ['logs', {}], id));
const ending = (subscription: string, id: unknown = 1) =>
  screened(call('eth_unsubscribe', [subscription], id));

const shareOf = (workspace: string) => `owner of ${workspace}`;
const rooms = () => createSubscriptionRooms({ budgets: noBudgetMetrics, shareOf });
const ann = { networkUid: 'n', workspace: 'w', key: 'public' };

/** A connection whose node answers each message with the next of `answers`. */
function connect(room = rooms().open(ann)) {
  const open = createOpenCalls(createManualClock());
  const subscriptions = createSubscriptions(room, open);
  const say = (message: unknown) => {
    const bytes = Buffer.from(JSON.stringify(message));
    subscriptions.noteSent(bytes);
    open.noteSent(bytes);
  };
  const ask = async (message: Screened, ...answers: unknown[]) => {
    await subscriptions.handle(message, () => {
      open.noteAsked();
      setImmediate(() => answers.forEach(say));
    });
  };
  let made = 0;
  const subscribe = () => {
    made += 1;
    return ask(toLogs(), { id: 1, result: `0x${made}` });
  };
  return { ask, subscribe, say, open, subscriptions };
}

const tooMany = { reason: 'TooManyRequests' };

it('a connection has sixteen subscriptions to logs', async () => {
  const { subscribe } = connect();
  for (let count = 0; count < 16; count += 1) await subscribe();
  await expect(subscribe()).rejects.toMatchObject({
    message: expect.stringMatching(/the connection has too many subscriptions: end some/),
  });
});

it('a batch with more is refused as a whole', async () => {
  const { ask, subscribe } = connect();
  const batch = Array.from({ length: 17 }, (_, id) => call('eth_subscribe', ['logs', {}], id));
  await expect(ask(screened(batch))).rejects.toMatchObject(tooMany);
  for (let count = 0; count < 16; count += 1) await subscribe();
});

it('subscriptions to blocks weigh an eighth', async () => {
  const { ask, subscribe } = connect();
  for (let count = 0; count < 128; count += 1) {
    await ask(screened(call('eth_subscribe', ['newHeads'])), { id: 1, result: `0x${count}` });
  }
  await expect(subscribe()).rejects.toMatchObject(tooMany);
});

it('one that the node has refused or ended counts no more', async () => {
  const { ask, subscribe } = connect();
  for (let count = 0; count < 15; count += 1) await subscribe();
  const notification = { method: 'eth_subscription', params: { subscription: '0x1', result: {} } };
  await ask(toLogs(), notification, { id: 1, error: { code: -32602, message: 'invalid' } });
  await subscribe();
  await ask(ending('0x3'), notification, { id: 1, result: true });
  await subscribe();
  await expect(subscribe()).rejects.toMatchObject(tooMany);
});

it.each<[string, (connection: ReturnType<typeof connect>) => Promise<unknown>]>([
  ['one that is not there', ({ ask }) => ask(ending('0x99'), { id: 1, result: true })],
  ['one that the node does not end', ({ ask }) => ask(ending('0x1'), { id: 1, result: false })],
  [
    'one twice',
    async ({ ask, subscribe }) => {
      await ask(ending('0x1'), { id: 1, result: true });
      await subscribe();
      await ask(ending('0x1'), { id: 1, result: true });
    },
  ],
  [
    'some in a batch',
    ({ ask }) => {
      const batch = screened([call('eth_unsubscribe', ['0x1']), call('eth_unsubscribe', ['0x2'])]);
      return ask(batch, [
        { id: 1, result: true },
        { id: 1, result: true },
      ]);
    },
  ],
])('ending %s makes no room', async (_what, end) => {
  const connection = connect();
  for (let count = 0; count < 16; count += 1) await connection.subscribe();
  await end(connection);
  await expect(connection.subscribe()).rejects.toMatchObject(tooMany);
});

it('the answer to another call with the same id ends none', async () => {
  const { ask, subscribe, say, open } = connect();
  for (let count = 0; count < 16; count += 1) await subscribe();
  open.noteAsked();
  const asked = ask(ending('0x1'), { id: 1, result: false });
  await settle();
  say({ id: 1, result: true });
  await asked;
  await expect(subscribe()).rejects.toMatchObject(tooMany);
});

it('a key, a network and an owner have so many together, and get them back with the connection', async () => {
  const all = rooms();
  const fill = (of: typeof ann) => {
    const room = all.open(of);
    room.take(16 * 8);
    return room;
  };
  fill(ann);
  fill(ann);
  fill(ann);
  expect(() => fill(ann)).toThrow('the connections with the same key have too many');
  const first = fill({ ...ann, key: 'admin' });
  expect(() => fill({ ...ann, key: 'admin' })).toThrow('the connections to the network have too many');
  for (let index = 0; index < 12; index += 1) fill({ ...ann, networkUid: `n${index}`, key: 'admin' });
  expect(() => fill({ ...ann, networkUid: 'another', key: 'admin' })).toThrow(
    'of the same owner have too many',
  );
  fill({ networkUid: 'another', workspace: 'of bob', key: 'public' });
  first.release();
  first.take(1);
  fill({ ...ann, key: 'admin' });
});

it('strangers with public URLs leave an owner an eighth', () => {
  const all = rooms();
  const fill = (networkUid: string, key: string, weight: number) =>
    all.open({ networkUid, workspace: 'w', key }).take(weight);
  for (let index = 0; index < 14; index += 1) fill(`n${index}`, 'public', 128);
  expect(() => fill('n15', 'public', 1)).toThrow('of the same owner have too many');
  for (let index = 0; index < 2; index += 1) fill(`n${index}`, 'admin', 128);
  expect(() => fill('n15', 'admin', 1)).toThrow('of the same owner have too many');
});

it('what is not forwarded takes no room', async () => {
  const { subscribe, subscriptions } = connect();
  const refuse = () => Promise.reject(new Error('no room in the node'));
  for (let count = 0; count < 16; count += 1) {
    await expect(subscriptions.handle(toLogs(), refuse)).rejects.toThrow('no room');
  }
  for (let count = 0; count < 16; count += 1) await subscribe();
});

it.each([
  ['a call that is worked out', [call('net_peerCount')]],
  ['more than a node does at once', Array.from({ length: 5 }, () => call('eth_call', [{}]))],
])('a subscription in a batch with %s is refused, and takes no room', (_what, calls) => {
  const { subscriptions, refusals, steps, blockUses, kept } = screened([
    call('eth_subscribe', ['newHeads'], 7),
    ...calls,
  ]);
  expect(refusals.map((text) => JSON.parse(text))).toMatchObject([
    { id: 7, error: { message: 'eth_subscribe must be sent in a message of its own here' } },
  ]);
  expect({ subscriptions, kept, uses: blockUses.size }).toEqual({ subscriptions: [], kept: 0, uses: 0 });
  expect(steps).toHaveLength(calls.length + 1);
});

describe('Solana', () => {
  const solana: Network = { type: 'Solana' };
  const asked = (method: string, params: unknown[] = ['x']) => screened(call(method, params), solana);
  const answered = (result: unknown) => ({ id: 1, result });

  it('what its subscriptions weigh', () => {
    expect(asked('signatureSubscribe').subscriptions).toEqual([{ weight: 1, isOnce: true }]);
    expect(asked('accountSubscribe').subscriptions).toEqual([{ weight: 1 }]);
    expect(asked('logsSubscribe', ['all']).subscriptions).toEqual([{ weight: 8 }]);
    expect(asked('logsUnsubscribe', [7]).subscriptions).toEqual([{ ends: '7' }]);
  });

  it('that of a signature counts until the node has told of it, not only that it has it', async () => {
    const { ask, say } = connect();
    for (let id = 0; id < 128; id += 1) await ask(asked('signatureSubscribe'), answered(id));
    const another = () => ask(asked('signatureSubscribe'), answered(128));
    const tell = (subscription: number, value: unknown) =>
      say({
        method: 'signatureNotification',
        params: { result: { context: { slot: 1 }, value }, subscription },
      });
    tell(1, 'receivedSignature');
    await expect(another()).rejects.toMatchObject(tooMany);
    tell(1, { err: null });
    tell(1, { err: null });
    await another();
    await expect(another()).rejects.toMatchObject(tooMany);
  });

  it('two of the same count as the one that they are', async () => {
    const { ask } = connect();
    for (let id = 0; id < 127; id += 1) await ask(asked('accountSubscribe'), answered(id));
    for (let count = 0; count < 3; count += 1) await ask(asked('accountSubscribe'), answered(5));
    await ask(asked('accountUnsubscribe', [5]), answered(true));
    for (const id of [127, 128]) await ask(asked('accountSubscribe'), answered(id));
    await expect(ask(asked('accountSubscribe'), answered(129))).rejects.toMatchObject(tooMany);
  });
});
