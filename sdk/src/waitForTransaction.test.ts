import { createInstantRuntime } from '../testing/manualRuntime.ts';
import { type LocalServer, type Reply, startServer } from '../testing/server.ts';
import { createClient } from './client.ts';

let server: LocalServer;
afterEach(() => server?.close());

/** A client of a server that answers with each in turn, the last one again and again. */
async function clientOf(...replies: Reply[]) {
  server = await startServer(() => (replies.length > 1 ? replies.shift() : replies[0]) ?? {});
  return createClient({ url: server.url, apiKey: 'k.s', runtime: createInstantRuntime(), retries: 0 });
}

const transaction = (state: string, more: object = {}) => ({ body: { hash: '0xaa', state, ...more } });

it('answers the transaction once it is mined, over a restart of the service', async () => {
  const client = await clientOf(
    transaction('accepted'),
    { status: 503 },
    transaction('broadcast'),
    transaction('mined'),
  );
  expect(await client.waitForTransaction('0xaa', { networkId: 'n' })).toMatchObject({ state: 'mined' });
  expect(server.received.map(({ path }) => path)).toEqual(
    Array(4).fill('/transaction/v1alpha1/transaction/submissions/0xaa?network_id=n'),
  );
});

it.each([
  ['failed', 'execution reverted'],
  ['dropped', 'its nonce was used by another transaction'],
])('ends at once when it is %s, with the reason', async (state, message) => {
  const client = await clientOf(transaction(state, { message }));
  await expect(client.waitForTransaction('0xaa')).rejects.toMatchObject({
    reason: 'TransactionError',
    message: `transaction 0xaa ${state}: ${message}`,
  });
});

it('ends with what the service refuses, after its time, and with its caller', async () => {
  const unknown = await clientOf({
    status: 404,
    body: { reason: 'NotFound', message: 'no such transaction' },
  });
  await expect(unknown.waitForTransaction('0xaa')).rejects.toMatchObject({ reason: 'NotFound' });
  await server.close();
  const waiting = await clientOf(transaction('accepted'));
  await expect(waiting.waitForTransaction('0xaa', { timeoutMs: 5000 })).rejects.toMatchObject({
    reason: 'Timeout',
  });
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(waiting.waitForTransaction('0xaa', { signal })).rejects.toThrow('enough');
});
