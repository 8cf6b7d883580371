import { randomBytes } from 'node:crypto';
import { namespaceType } from '../core/kube/types.ts';
import { createTestKube } from '../hack/testenv/testKube.ts';
import { startTestApi, type TestApi } from './testing/harness.ts';

const kubes = [createTestKube(), createTestKube()];
const namespace = `lists-${randomBytes(4).toString('hex')}`;
/** Workspaces in which nobody has written yet. */
const others = Array.from({ length: 12 }, (_, index) => {
  return { userId: `user-${index}`, workspaceId: `other-${index}`, namespace: `${namespace}-${index}` };
});
const users = [{ userId: 'ann', workspaceId: 'one', namespace }, ...others];
const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' } } } };
const count = 200;

let replicas: TestApi[];
beforeAll(async () => {
  for (const user of users) {
    const metadata = { name: user.namespace };
    await kubes[0]?.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata });
  }
  replicas = await Promise.all(kubes.map((kube) => startTestApi({ kube, users, namespace })));
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  for (const user of users) await kubes[0]?.delete(namespaceType, { name: user.namespace });
  await Promise.all(kubes.map((kube) => kube.close()));
});

const kinds: [string, (name: string) => object][] = [
  ['networks', (name) => ({ name, spec })],
  ['secrets', (name) => ({ name, type: 'any', data: randomBytes(16).toString('base64') })],
];

/** Names by id from all pages. */
async function listed(by: TestApi | undefined, kind: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const query = `?limit=500${cursor ? `&cursor=${cursor}` : ''}`;
    const { json } = await (by as TestApi).request(`/v1alpha/${kind}${query}`);
    for (const { id, name, metadata } of json.items) found.set(id, name ?? metadata.name);
    cursor = json.metadata.cursor;
  } while (cursor);
  return found;
}

describe.each(kinds)('%s', (kind, bodyOf) => {
  it('created by one replica are in the next list of the other, every time', async () => {
    const missed: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const [writer, reader] = index % 2 === 0 ? replicas : replicas.toReversed();
      const name = `c${index}`;
      const created = await writer?.request(`/v1alpha/${kind}`, { body: bodyOf(name) });
      expect(created?.status).toBe(201);
      if (!(await listed(reader, kind)).has(created?.json.id)) missed.push(name);
    }
    expect(missed).toEqual([]);
  });

  it('deleted and created again by one replica are correct in the next list of the other', async () => {
    const wrong: string[] = [];
    const ids = [...(await listed(replicas[0], kind)).keys()];
    for (const [index, id] of ids.slice(0, 60).entries()) {
      const [writer, reader] = index % 2 === 0 ? replicas : replicas.toReversed();
      const [gone, created] = await Promise.all([
        writer?.request(`/v1alpha/${kind}/${id}`, { method: 'DELETE' }),
        writer?.request(`/v1alpha/${kind}`, { body: bodyOf(`d${index}`) }),
      ]);
      expect([gone?.status, created?.status]).toEqual([expect.any(Number), 201]);
      const shown = await listed(reader, kind);
      if (shown.has(id) || !shown.has(created?.json.id)) wrong.push(id);
    }
    expect(wrong).toEqual([]);
  });
});

it('a secret that one replica deleted is gone in the next read of the other, every time', async () => {
  const wrong: unknown[] = [];
  for (let index = 0; index < 100; index += 1) {
    const [writer, reader] = index % 2 === 0 ? replicas : replicas.toReversed();
    const body = { name: `gone-${index}`, type: 'any', data: randomBytes(16).toString('base64') };
    const { id } = (await writer?.request('/v1alpha/secrets', { body }))?.json ?? {};
    await reader?.request(`/v1alpha/secrets/${id}`);
    await writer?.request(`/v1alpha/secrets/${id}`, { method: 'DELETE' });
    const read = await reader?.request(`/v1alpha/secrets/${id}`);
    if (read?.status !== 404) wrong.push(read?.status);
  }
  expect(wrong).toEqual([]);
});

it('the first write of one replica ends the time in which the other asks only who writes, every time', async () => {
  const wrong: string[] = [];
  for (const [index, { userId: as }] of others.entries()) {
    const [writer, reader] = index % 2 === 0 ? replicas : replicas.toReversed();
    const idsAt = async () => {
      const answer = await reader?.request('/v1alpha/networks', { as });
      return answer?.json.items.map(({ id }: { id: string }) => id);
    };
    expect([await idsAt(), await idsAt()]).toEqual([[], []]);
    const { id } =
      (await writer?.request('/v1alpha/networks', { as, body: { name: 'first', spec } }))?.json ?? {};
    const created = await idsAt();
    await writer?.request(`/v1alpha/networks/${id}`, { as, method: 'DELETE' });
    const deleted = await idsAt();
    if (created.join() !== id || deleted.length > 0) wrong.push(as);
  }
  expect(wrong).toEqual([]);
});
