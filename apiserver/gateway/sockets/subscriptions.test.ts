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
  return { ask, subscribe, say, open };
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
  const first = fill(ann);
  fill(ann);
  fill(ann);
  expect(() => fill(ann)).toThrow('the connections with the same key have too many');
  fill({ ...ann, key: 'admin' });
  expect(() => fill({ ...ann, key: 'admin' })).toThrow('the connections to the network have too many');
  for (let index = 0; index < 12; index += 1) fill({ ...ann, networkUid: `n${index}` });
  expect(() => fill({ ...ann, networkUid: 'another' })).toThrow('of the same owner have too many');
  fill({ networkUid: 'another', workspace: 'of bob', key: 'public' });
  first.release();
  first.take(1);
  fill(ann);
});

it('Solana: signatures, whose subscriptions end by themselves, do not count', () => {
  const solana: Network = { type: 'Solana' };
  const uses = (method: string, params: unknown[]) => screened(call(method, params), solana).subscriptions;
  expect(uses('signatureSubscribe', ['x'])).toEqual([]);
  expect(uses('accountSubscribe', ['x'])).toEqual([{ weight: 1 }]);
  expect(uses('logsSubscribe', ['all'])).toEqual([{ weight: 8 }]);
  expect(uses('logsUnsubscribe', [7])).toEqual([{ ends: '7' }]);
});
