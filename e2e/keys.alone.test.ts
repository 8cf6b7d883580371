import { releaseNamespace } from '../hack/up/names.ts';
import { getJson, kubectl } from './lib/cluster.ts';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from './lib/networks.ts';
import { runRunbook } from './lib/runbook.ts';
import { call, freshName, until } from './lib/service.ts';

const inServiceNamespace = ['--namespace', releaseNamespace];
const workspaces = 'workspaces.slipway.dev';

/** Whether a URL of a network opens it. */
async function isOpen(url = ''): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  if (response.status !== 200 && response.status !== 404) throw new Error(`${url} is ${response.status}`);
  return response.status === 200;
}

/** The URLs in the Secret of a network. */
async function urlsOf(name: string): Promise<Record<string, string>> {
  const { data } = await getJson('secret', `${name}-access`);
  const entries = Object.entries<string>(data).map(([service, text]) => [
    service,
    Buffer.from(text, 'base64').toString(),
  ]);
  return Object.fromEntries(entries);
}

let id: string;
let name: string;
beforeAll(async () => {
  const key = await createHotKey();
  const { body } = await createNetwork({ privateKeyRef: { name: key.name } });
  ({ id, name } = body);
  await reach(id, 'Operational');
});
afterAll(() => remove(id));

describe('the access keys of a network', () => {
  it('the admin URL is in the Secret of the network and not in its status', async () => {
    const { status } = await getJson('networks.slipway.dev', name);
    const { admin } = await endpointsOf(id);
    expect(admin).toMatch(/\/admin$/);
    expect(JSON.stringify(status)).not.toContain(admin?.split('/')[5]);
    expect(await urlsOf(name)).toEqual(await endpointsOf(id));
  });

  it('over REST, the old admin URL ends with the answer and the public one keeps working', async () => {
    const before = await endpointsOf(id);
    const { status, body } = await call('POST', `/v1alpha/networks/${id}/rotate-keys`, {
      body: { keys: ['admin'] },
    });
    expect(status).toBe(200);
    const after = body.status.endpoints;
    expect([await isOpen(after.admin), await isOpen(before.rpc)]).toEqual([true, true]);
    await until(
      'every replica to refuse the old URL',
      () => isOpen(before.admin),
      (open) => !open,
    );
  });

  it('with kubectl, the Secret follows', async () => {
    const before = await endpointsOf(id);
    const patch = JSON.stringify({ spec: { accessKeyRotation: { publicNonce: 5 } } });
    await kubectl(['patch', 'networks.slipway.dev', name, '--type=merge', '-p', patch]);
    const urls = await until(
      'the new URL',
      () => urlsOf(name),
      ({ rpc }) => rpc !== before.rpc,
    );
    expect([await isOpen(urls.rpc), await isOpen(before.rpc)]).toEqual([true, false]);
  });
});

it('the documented rotation of the other keys does what it says', async () => {
  const before = await endpointsOf(id);
  const enclaveID = (await reach(id, 'Operational')).status.enclaveID;
  await createHotKey();
  const page = '/v1alpha/secrets?limit=1';
  const { cursor } = (await call('GET', page)).body.metadata;
  const next = () => call('GET', `${page}&cursor=${encodeURIComponent(cursor)}`);
  const keyOf = async (workspace: string) =>
    (await getJson(workspaces, workspace, ...inServiceNamespace)).status.serviceAccountKey;
  const serviceKey = await keyOf('default');

  const all = 'access-keys cursor-keys engine-keys fork-keys service-account-keys';
  await runRunbook('Add a new key', { FILES: all });
  // A replica that ends still tells the admin URL of the key before.
  const after = await until(
    'the new URLs',
    () => endpointsOf(id),
    ({ rpc, admin }) => rpc !== before.rpc && admin !== before.admin,
  );
  for (const service of ['rpc', 'admin']) {
    expect([await isOpen(before[service]), await isOpen(after[service])]).toEqual([true, true]);
  }
  expect((await next()).status).toBe(200);
  expect(await keyOf('default')).toBe(serviceKey);
  const { body: workspace } = await call('POST', '/v1alpha1/workspaces', {
    body: { name: freshName('rotated') },
  });
  const newKey = await until(
    'its key',
    () => keyOf(workspace.id).catch(() => undefined),
    (key) => key !== undefined,
  );
  expect(newKey).not.toBe(serviceKey);
  await call('DELETE', `/v1alpha1/workspaces/${workspace.id}`);

  await runRunbook('Remove the old keys', { FILES: 'access-keys cursor-keys' });
  for (const service of ['rpc', 'admin']) {
    // A replica that ends still answers what reaches it.
    await until(
      `the old ${service} URL to close`,
      () => isOpen(before[service]),
      (isStillOpen) => !isStillOpen,
    );
    expect(await isOpen(after[service])).toBe(true);
  }
  const expired = await next();
  expect(expired.status).toBe(400);
  expect(expired.body.message).toContain('start again without a cursor');
  expect((await reach(id, 'Operational')).status.enclaveID).toBe(enclaveID);
});
