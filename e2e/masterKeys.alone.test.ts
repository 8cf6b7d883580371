import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { releaseNamespace } from '../hack/up/names.ts';
import { getJson, kubectl } from './lib/cluster.ts';
import { createHotKey, createNetwork, reach, remove } from './lib/networks.ts';
import { runRunbook } from './lib/runbook.ts';
import { type Answer, call, freshName } from './lib/service.ts';

const inServiceNamespace = ['--namespace', releaseNamespace];

async function masterKeyIds(): Promise<string[]> {
  const { data } = await getJson('secret', 'slipway-keys', ...inServiceNamespace);
  const lines = Buffer.from(data['master-keys'], 'base64').toString().trim().split('\n');
  return lines.map((line) => line.split(':')[0] ?? '');
}

/** The ids of the master keys that stored secrets are sealed with. */
async function keysInUse(): Promise<string[]> {
  const { items } = await getJson('secrets.slipway.dev', '--all-namespaces');
  return [...new Set<string>(items.map(({ spec }: Answer['body']) => spec.data.split(':')[2]))];
}

const plain = randomBytes(32).toString('base64');
let id: string;
beforeAll(async () => {
  const body = { name: freshName('rotated'), type: 'private-key', data: plain };
  const answer = await call('POST', '/v1alpha/secrets', { body });
  expect(answer.status).toBe(201);
  id = answer.body.id;
});
afterAll(() => call('DELETE', `/v1alpha/secrets/${id}`));

/** Reads the secret repeatedly; the returned function stops and returns the wrong responses. */
function watchSecret(): () => Promise<unknown[]> {
  const wrong: unknown[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { status, body } = await call('GET', `/v1alpha/secrets/${id}`);
      if (status !== 200 || body.data !== plain) wrong.push({ status, body });
      // A key may send 100 requests per second.
      await sleep(20);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return wrong;
  };
}

it('the documented rotation replaces the master key while every secret stays readable', async () => {
  const before = await masterKeyIds();
  const finish = watchSecret();
  await runRunbook('Rotate the master key');
  expect(await finish()).toEqual([]);
  const after = await masterKeyIds();
  expect(after).toHaveLength(1);
  expect(before).not.toContain(after[0]);
  expect(await keysInUse()).toEqual(after);
});

it('the rotation leaves neither the Job nor the permission to change secrets behind', async () => {
  for (const kind of ['job', 'serviceaccount']) {
    const { items } = await getJson(kind, ...inServiceNamespace);
    const names = items.map(({ metadata }: Answer['body']) => metadata.name);
    expect(names.filter((name: string) => name.includes('reseal'))).toEqual([]);
  }
  const user = `system:serviceaccount:${releaseNamespace}:slipway-reseal`;
  const { stdout } = await kubectl(['auth', 'can-i', 'patch', 'secrets.slipway.dev', `--as=${user}`]);
  expect(stdout.trim()).toBe('no');
});

it('a secret that is sealed only with the new key works as before', async () => {
  const key = await createHotKey();
  const { body } = await createNetwork({ privateKeyRef: { name: key.name } });
  await reach(body.id, 'Operational');
  await remove(body.id);
});
