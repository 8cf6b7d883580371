import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiVersion, labels } from '../../../core/api/names.ts';
import { type KubeObject, resourceType } from '../../../core/api/resources/kubeObject.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { namespaceType, podType } from '../../../core/kube/types.ts';
import { createTestKube } from '../../../hack/testenv/testKube.ts';
import { writeCertificate } from '../../testing/certificate.ts';
import { credentialsOf, startTestApi, type TestApi } from '../../testing/harness.ts';

interface KubeNode extends KubeObject {
  status?: object;
}
const nodeType = resourceType<KubeNode>('v1', 'Node', false);

const name = `logs-${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), 'kubelet-'));
const kube = createTestKube();
let kubelet: Server;
/** The requests that the kubelet gets for logs. */
const asked: { url: string; response: ServerResponse }[] = [];
let api: TestApi;
let uid: string;

/** A node whose kubelet is this process. */
async function startNode(): Promise<void> {
  writeCertificate(folder);
  const tls = { key: readFileSync(join(folder, 'tls.key')), cert: readFileSync(join(folder, 'tls.crt')) };
  kubelet = createServer(tls, (request, response) => {
    asked.push({ url: request.url ?? '', response });
    response.write('first\n');
    if (!request.url?.includes('follow=true')) response.end();
  });
  await once(kubelet.listen(0, '127.0.0.1'), 'listening');
  const { port: Port } = kubelet.address() as AddressInfo;
  await kube.create(nodeType, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port } } };
  await kube.patch(nodeType, { name }, { status }, 'status');
}

async function createPod(part: string, nodeName?: string): Promise<void> {
  const metadata = {
    name: `a-${part}`,
    namespace: name,
    labels: { [labels.network]: uid, [labels.part]: part },
    ownerReferences: [{ apiVersion, kind: 'Network', name: 'a', uid }],
  };
  const spec = { containers: [{ name: 'engine', image: 'x' }], ...(nodeName ? { nodeName } : {}) };
  await kube.create(podType, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
}

beforeAll(async () => {
  await startNode();
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  ({ uid } = (await kube.create(networkType, aNetwork({ name: 'a', namespace: name }))).metadata);
  await createPod('runs', name);
  await createPod('waits');
  const users = [{ userId: 'ann', workspaceId: 'one', namespace: name }];
  api = await startTestApi({ kube, users, openPodLog: kube.openPodLog });
});
afterAll(async () => {
  await api.close();
  kubelet.closeAllConnections();
  kubelet.close();
  await kube.delete(podType, { namespace: name, name: 'a-runs' }, { gracePeriodSeconds: 0 });
  await kube.delete(nodeType, { name });
  await kube.close();
  rmSync(folder, { recursive: true });
});

const path = (query: string) => `/v1alpha/networks/${uid}/logs?${query}`;

it('the log of a pod comes from its kubelet, through kube-apiserver', async () => {
  const { status, text } = await api.request(path('service=runs&tail=7'));
  expect([status, text]).toEqual([200, 'first\n']);
  const url = new URL(asked.at(-1)?.url ?? '', 'https://kubelet');
  expect(url.pathname).toBe(`/containerLogs/${name}/a-runs/engine`);
  expect(Object.fromEntries(url.searchParams)).toEqual({ tailLines: '7', limitBytes: '8388608' });
});

it('a log that is followed goes on, and is closed at the kubelet when the client is gone', async () => {
  const headers = credentialsOf('ann');
  const request = get(`${api.url}${path('service=runs&follow=true')}`, { agent: false, headers });
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const next = async () => String((await once(answer, 'data'))[0]);
  expect(await next()).toBe('first\n');
  const { response } = asked.at(-1) as (typeof asked)[number];
  response.write('second\n');
  expect(await next()).toBe('second\n');
  const closed = once(response, 'close');
  request.destroy();
  await closed;
});

it('a pod that no node has taken has no log: 409', async () => {
  const { status, json } = await api.request(path('service=waits'));
  expect([status, json.message]).toEqual([409, expect.stringContaining('has not started')]);
});
