import { createManualClock } from '../../../core/lib/manualClock.ts';
import { SlipwayError } from '../../../sdk/src/error.ts';
import type { StreamedEvent, StreamOptions } from '../../../sdk/src/streams/events.ts';
import { followEvents } from './follow.ts';

/** Streams that tests feed, and a tab that they show and hide. */
function start(permissions = ['networks:read', 'tokens:read']) {
  const clock = createManualClock();
  const scope = new AbortController();
  const opened: (StreamOptions & { push(event: StreamedEvent): void; fail(error: unknown): void })[] = [];
  const tab = { isVisible: true, changed: () => {} };
  let ends = 0;
  async function* stream(options: StreamOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    const queue: StreamedEvent[] = [];
    let wake = () => {};
    let failure: unknown;
    options.signal?.addEventListener('abort', () => wake());
    opened.push({
      ...options,
      push(event) {
        queue.push(event);
        wake();
      },
      fail(error) {
        failure = error;
        wake();
      },
    });
    for (;;) {
      const next = queue.shift();
      if (next) yield next;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (failure) throw failure;
      if (options.signal?.aborted) throw options.signal.reason;
    }
  }
  const following = followEvents({
    client: { events: { stream } },
    permissions,
    signal: scope.signal,
    clock,
    visibility: {
      isVisible: () => tab.isVisible,
      listen(changed) {
        tab.changed = changed;
        return () => {};
      },
    },
    onEnd: () => {
      ends += 1;
    },
  });
  const show = (isVisible: boolean) => {
    tab.isVisible = isVisible;
    tab.changed();
  };
  return { clock, scope, opened, following, show, ends: () => ends };
}

const ready = { id: 'e1', type: 'stream.ready', createdAt: '', workspace: '', lastEventId: 'p1' };
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a tab that nobody sees gives its connection back, and goes on where it was', async () => {
  const { clock, opened, show } = start();
  await settled();
  opened[0]?.push(ready);
  await settled();
  show(false);
  clock.advance(9_000);
  expect(opened[0]?.signal?.aborted).toBe(false);
  clock.advance(2_000);
  expect(opened[0]?.signal?.aborted).toBe(true);
  show(true);
  await settled();
  expect(opened.map(({ lastEventId }) => lastEventId)).toEqual([undefined, 'p1']);
});

test('a short look elsewhere ends nothing', async () => {
  const { clock, opened, show } = start();
  await settled();
  show(false);
  clock.advance(5_000);
  show(true);
  clock.advance(60_000);
  expect([opened.length, opened[0]?.signal?.aborted]).toEqual([1, false]);
});

test('many events are shown at once', async () => {
  const { clock, opened, following } = start();
  let shown = 0;
  following.stream.subscribe(() => {
    shown += 1;
  });
  await settled();
  for (let count = 0; count < 50; count += 1) opened[0]?.push(ready);
  await settled();
  clock.advance(50);
  expect([shown, following.stream.get().connection]).toEqual([1, 'live']);
});

test('when the service ends the stream, the session is checked; when the connection breaks, it is not', async () => {
  const { opened, ends } = start();
  await settled();
  opened[0]?.onReconnect?.(new SlipwayError('gone', { reason: 'Unreachable' }));
  expect(ends()).toBe(0);
  opened[0]?.onReconnect?.(undefined);
  expect(ends()).toBe(1);
});

const away = () => new SlipwayError('etcd is away', { status: 503, reason: 'Unavailable', requestId: 'r1' });

test('why the stream is interrupted is known until something comes again', async () => {
  const { clock, opened, following } = start();
  await settled();
  const error = away();
  opened[0]?.onReconnect?.(error);
  clock.advance(50);
  expect(following.stream.get()).toEqual({ isComplete: false, connection: 'interrupted', error });
  opened[0]?.push(ready);
  await settled();
  clock.advance(50);
  expect(following.stream.get()).toEqual({ isComplete: true, connection: 'live' });
});

test('who does not want to wait for the next attempt has one at once, from where the stream was', async () => {
  const { clock, opened, following } = start();
  await settled();
  opened[0]?.push(ready);
  await settled();
  opened[0]?.onReconnect?.(away());
  clock.advance(50);
  following.retry();
  await settled();
  expect(following.stream.get()).toEqual({ isComplete: true, connection: 'connecting' });
  expect([opened[0]?.signal?.aborted, opened[1]?.lastEventId]).toEqual([true, 'p1']);
});

test('a stream that has ended begins again when somebody asks for it, unless they signed out', async () => {
  const { opened, following, scope } = start();
  await settled();
  opened[0]?.fail(new SlipwayError('may not', { status: 403, reason: 'Forbidden' }));
  await settled();
  following.retry();
  await settled();
  expect(opened).toHaveLength(2);
  scope.abort();
  following.retry();
  await settled();
  expect(opened).toHaveLength(2);
});

test('a failure that does not pass is shown, and no other stream is opened', async () => {
  const { clock, opened, following } = start();
  await settled();
  const error = new SlipwayError('may not', { status: 403, reason: 'Forbidden' });
  opened[0]?.fail(error);
  await settled();
  clock.advance(600_000);
  await settled();
  const { connection, error: shown } = following.stream.get();
  expect([connection, shown, opened.length]).toEqual(['ended', error, 1]);
});

test('signing out ends it', async () => {
  const { scope, opened, show } = start();
  await settled();
  scope.abort();
  expect(opened[0]?.signal?.aborted).toBe(true);
  show(false);
  show(true);
  await settled();
  expect(opened).toHaveLength(1);
});

test('kinds that the user may not read are not asked for', async () => {
  const { opened } = start();
  await settled();
  expect(opened[0]?.types).toEqual(['network.*', 'snapshot.*', 'token.*']);
});

test('who may read no kind at all has no stream, and waits for nothing', async () => {
  const { opened, following } = start(['audit:read']);
  await settled();
  expect(opened).toEqual([]);
  expect(following.stream.get()).toEqual({ isComplete: true, connection: 'live' });
});

test('a change concerns only those who look at its kind', async () => {
  const { clock, opened, following } = start();
  const seen: string[] = [];
  following.kinds.network.subscribe(() => seen.push('network'));
  following.kinds.token.subscribe(() => seen.push('token'));
  await settled();
  const token = {
    id: 't',
    user_id: 'u',
    name: 'T',
    symbol: 'T',
    decimals: 18,
    total_supply: '1',
    type: 'ERC20',
  };
  opened[0]?.push({ ...ready, type: 'token.present', object: token });
  await settled();
  clock.advance(50);
  expect(seen).toEqual(['token']);
});
