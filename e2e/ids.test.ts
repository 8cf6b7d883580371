import { randomBytes, randomUUID } from 'node:crypto';
import { stringify } from 'yaml';
import { addMember, createWorkspace } from './lib/accounts.ts';
import { getJson, kubectl } from './lib/cluster.ts';
import { createHotKey, createNetwork, endpointsOf, reach } from './lib/networks.ts';
import { call, freshName, token, until } from './lib/service.ts';

const label = 'slipway.dev/id';

/** Whether a URL of a network opens it. */
async function isOpen(url = ''): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await fetch(url, { method: 'POST', headers, body });
  return status === 200;
}

/** A network over REST that runs, with its URLs. */
async function startNetwork() {
  const key = await createHotKey();
  const { body } = await createNetwork({ privateKeyRef: { name: key.name } });
  await reach(body.id, 'Operational');
  return { id: body.id as string, name: body.name as string, urls: await endpointsOf(body.id) };
}

/** What `kubectl get -o yaml` exports, as somebody keeps it in Git: without uid, resourceVersion and status. */
async function manifestOf(name: string, changes: object = {}): Promise<string> {
  const { apiVersion, kind, metadata, spec } = await getJson('networks.slipway.dev', name);
  const { namespace, labels, annotations } = metadata;
  return stringify({
    apiVersion,
    kind,
    metadata: { name, namespace, labels, annotations, ...changes },
    spec,
  });
}

async function applied(manifest: string, ...flags: string[]): Promise<void> {
  const { code, stderr } = await kubectl([...flags, 'apply', '--filename', '-'], manifest);
  if (code !== 0) throw new Error(stderr);
}

const removed = (name: string) => kubectl(['delete', 'networks.slipway.dev', name, '--wait=true']);

/** The URLs of a network that was applied, once it runs. */
async function urlsOf(id: string) {
  await reach(id, 'Operational');
  return endpointsOf(id);
}

describe('the id of an object', () => {
  it('is its label, for whatever REST creates', async () => {
    const { id, name, urls } = await startNetwork();
    const { metadata } = await getJson('networks.slipway.dev', name);
    expect(metadata.labels[label]).toBe(id);
    expect(metadata.uid).not.toBe(id);
    expect(urls.rpc).toContain(`/rpc/${id}/`);
    await removed(name);
  });

  it('is given to what kubectl creates, cannot be changed, and stays with a manifest that does not name it', async () => {
    const name = freshName('secret');
    const spec = { type: 'note', data: 'YQ==' };
    const manifest = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Secret', metadata: { name }, spec };
    await applied(stringify(manifest));
    const { metadata } = await until(
      'the secret to have an id',
      () => getJson('bsec', name),
      (secret) => secret.metadata.labels?.[label] !== undefined,
    );
    expect(metadata.labels[label]).toBe(metadata.uid);
    const other = '6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7';
    const change = await kubectl(['label', 'bsec', name, `${label}=${other}`, '--overwrite']);
    expect(change.stderr).toContain(`stays as it is: keep "${metadata.uid}"`);
    await applied(stringify({ ...manifest, spec: { ...spec, data: 'Yg==' } }));
    const { status, body } = await call('GET', `/v1alpha/secrets/${metadata.uid}`);
    expect([status, body.name]).toEqual([200, name]);
    await kubectl(['delete', 'bsec', name]);
  });
});

describe('a network that is deleted and applied again from its manifest', () => {
  it('has the same id, URLs and keys', async () => {
    const { id, name, urls } = await startNetwork();
    const manifest = await manifestOf(name);
    await removed(name);
    await applied(manifest);
    expect(await urlsOf(id)).toEqual(urls);
    expect([await isOpen(urls.rpc), await isOpen(urls.admin)]).toEqual([true, true]);
    await removed(name);
  });

  it('has the keys of its last rotation, and no former one, also from a manifest from before', async () => {
    const { id, name, urls: former } = await startNetwork();
    const before = await manifestOf(name);
    await call('POST', `/v1alpha/networks/${id}/rotate-keys`, { body: {} });
    const rotated = await urlsOf(id);
    const after = await manifestOf(name);
    expect(rotated.rpc).not.toBe(former.rpc);
    await removed(name);
    await applied(after);
    expect(await urlsOf(id)).toEqual(rotated);
    await removed(name);
    await applied(before);
    expect(await urlsOf(id)).toEqual(rotated);
    expect(await Promise.all([isOpen(former.rpc), isOpen(former.admin), isOpen(rotated.rpc)])).toEqual([
      false,
      false,
      true,
    ]);
    await removed(name);
  });
});

describe('an id that is repeated', () => {
  it('stays with the older object of a workspace; the other one has its uid, and a Warning', async () => {
    const { id, name, urls } = await startNetwork();
    const twin = freshName('twin');
    await applied(await manifestOf(name, { name: twin }));
    const { metadata } = await until(
      'the twin to have an id of its own',
      () => getJson('networks.slipway.dev', twin),
      (network) => network.metadata.labels[label] === network.metadata.uid,
    );
    const own = await urlsOf(metadata.uid);
    expect(own.rpc).not.toBe(urls.rpc);
    expect((await call('GET', `/v1alpha/networks/${id}`)).body.name).toBe(name);
    const { stdout } = await kubectl(['describe', 'networks.slipway.dev', twin]);
    expect(stdout).toMatch(/Warning\s+IdTaken .*has the id/);
    await Promise.all([removed(twin), removed(name)]);
  });

  it('stays with the first of several in one file, whose times are the same', async () => {
    const { name } = await startNetwork();
    const id = randomUUID();
    const copies = [1, 2, 3].map((number) => `${name}-${number}`);
    const manifests = await Promise.all(
      copies.map((copy) => manifestOf(name, { name: copy, labels: { [label]: id }, annotations: {} })),
    );
    await applied(manifests.join('---\n'));
    const ids = await Promise.all(
      copies.map(async (copy) => {
        const { metadata } = await until(
          `${copy} to run`,
          () => getJson('networks.slipway.dev', copy),
          ({ status }) => status?.state === 'Operational',
        );
        return [metadata.labels[label], metadata.uid];
      }),
    );
    const [[first] = [], ...others] = ids;
    expect(first).toBe(id);
    for (const [own, uid] of others) expect(own).toBe(uid);
    await Promise.all([name, ...copies].map(removed));
  });

  it("opens nothing of another workspace's network, and takes nothing from it", async () => {
    const { id, name, urls } = await startNetwork();
    const owner = await addMember(token, 'default', 'developer');
    const workspace = await createWorkspace(owner.token, freshName('thief'));
    const namespace = `slipway-${workspace}`;
    const { privateKeyRef } = (await getJson('networks.slipway.dev', name)).spec.chain.ethereum;
    const data = randomBytes(32).toString('base64');
    const secret = {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Secret',
      metadata: { name: privateKeyRef.name, namespace },
    };
    await until(
      'the namespace of the workspace',
      () => kubectl(['get', 'namespace', namespace]),
      ({ code }) => code === 0,
    );
    await applied(stringify({ ...secret, spec: { type: 'private-key', data } }), '--namespace', namespace);
    await applied(
      await manifestOf(name, { namespace, labels: { [label]: id } }),
      ...['--namespace', namespace],
    );
    const theirs = await until(
      'the copy to be seen',
      () => getJson('--namespace', namespace, 'networks.slipway.dev', name),
      (network) => network.status?.state === 'Operational',
    );
    expect(theirs.metadata.labels[label]).toBe(id);
    const own = theirs.status.endpoints;
    expect(own.rpc.split('/')[4]).toBe(id);
    expect(own.rpc).not.toBe(urls.rpc);
    expect(await isOpen(own.rpc)).toBe(true);
    expect([await isOpen(urls.rpc), await isOpen(urls.admin)]).toEqual([true, true]);
    expect((await call('GET', `/v1alpha/networks/${id}`)).body.name).toBe(name);
    await kubectl(['delete', '--namespace', namespace, 'networks.slipway.dev', name, '--wait=true']);
    expect(await isOpen(urls.rpc)).toBe(true);
    await removed(name);
  });
});
