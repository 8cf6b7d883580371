import { withHandRepeats } from './handRepeats.ts';

type Outcome = Response | Error;

/** A service that gives these outcomes, one after the other, and remembers the keys that it was asked with. */
function start(...outcomes: Outcome[]) {
  const keys: (string | null)[] = [];
  const fetch = withHandRepeats(async (_input, init) => {
    keys.push(new Headers(init?.headers).get('Idempotency-Key'));
    const outcome = outcomes.shift() ?? new Response(null, { status: 201 });
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  const post = (key: string, body = 'one', path = '/transactions') =>
    fetch(`https://slipway.example${path}`, {
      method: 'POST',
      headers: { 'Idempotency-Key': key },
      body,
    }).catch(() => undefined);
  return { keys, fetch, post };
}

const status = (code: number, headers = {}) => new Response(null, { status: code, headers });

test.each<[string, Outcome]>([
  ['has no answer', new TypeError('the network is gone')],
  ['ends with 503', status(503)],
  ['still runs', status(409, { 'Retry-After': '1' })],
])('a request that %s keeps its Idempotency-Key when it is sent again', async (_what, outcome) => {
  const { keys, post } = start(outcome, status(503));
  await post('a');
  await post('b');
  await post('c');
  await post('d');
  expect(keys).toEqual(['a', 'a', 'a', 'd']);
});

test.each([201, 400, 409, 429])('after an answer with %d the same form is another request', async (code) => {
  const { keys, post } = start(status(code));
  await post('a');
  await post('b');
  expect(keys).toEqual(['a', 'b']);
});

test('a changed form and another path are other requests', async () => {
  const { keys, post } = start(status(503), status(503));
  await post('a');
  await post('b', 'two');
  await post('c', 'one', '/recordings');
  expect(keys).toEqual(['a', 'b', 'c']);
});

test('what has no Idempotency-Key gets none', async () => {
  const { keys, fetch } = start(status(503));
  await fetch('https://slipway.example/networks');
  await fetch('https://slipway.example/networks');
  expect(keys).toEqual([null, null]);
});
