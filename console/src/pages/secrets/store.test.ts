import { createClient } from '../../../../sdk/src/client.ts';
import type { Secret, SecretInput } from '../../../../sdk/src/generated/types.ts';
import { store } from './store.ts';

const replaced: Secret = {
  kind: 'Secret',
  version: 'v1alpha',
  id: 's-1',
  name: 'key',
  type: 'note',
  metadata: { name: 'key' },
};

/** An API with one secret, which refuses data that is not wanted. */
function service(wanted: string) {
  const calls: string[] = [];
  const ids = new Set(['s-1']);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { method, url } = new Request(input, init);
    calls.push(`${method} ${new URL(url).pathname}`);
    const json = (status: number, body: object) => Response.json(body, { status });
    const refused = (status: number, reason: string) =>
      json(status, { kind: 'Error', reason, message: reason });
    if (method === 'DELETE')
      return ids.delete('s-1') ? new Response(null, { status: 204 }) : refused(404, 'NotFound');
    const { data } = JSON.parse(String(init?.body));
    return data === wanted ? json(201, { ...replaced, id: 's-2' }) : refused(400, 'BadRequest');
  };
  return { calls, client: createClient({ url: 'https://slipway.example', fetch, retries: 0 }) };
}

const bodyOf = (data: string): SecretInput => ({ name: 'key', type: 'note', data });

test('after a value that was refused, the next attempt finds the former secret gone and stores the new one', async () => {
  const { client, calls } = service('AQ==');
  let deleted = 0;
  const onDeleted = () => {
    deleted += 1;
  };
  await expect(store(client, { body: bodyOf('AA=='), replaced, onDeleted })).rejects.toThrow('BadRequest');
  expect(deleted).toBe(1);
  await store(client, { body: bodyOf('AQ=='), replaced, onDeleted });
  expect(calls.map((call) => call.split(' ')[0])).toEqual(['DELETE', 'POST', 'DELETE', 'POST']);
});
