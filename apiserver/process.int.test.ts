import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { isSealed } from '../core/accounts/seal.ts';
import { adminUserId, labels } from '../core/api/names.ts';
import { secretType } from '../core/api/resources/resources.ts';
import { namespaceType } from '../core/kube/types.ts';
import { freePorts } from '../hack/testenv/servers.ts';
import { createTestKube, testKubeconfig } from '../hack/testenv/testKube.ts';
import { ensureTools } from '../hack/tools/ensure.ts';
import { secretsPath } from './admission/listener.ts';
import { sealWebhook, webhookType, writeCertificate } from './admission/testing/webhook.ts';
import { eventually } from './testing/eventually.ts';

jest.setTimeout(60_000);

/** The processes as started by the chart, with the webhook registered for one namespace. */

const kubeconfigPath = testKubeconfig();
const kube = createTestKube();
const namespace = `process-${randomBytes(4).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'slipway-process-'));
const tlsFolder = join(folder, 'tls');
const canary = randomBytes(32);
const data = canary.toString('base64');
const authorization = { Authorization: 'Bearer first.secret' };

interface Started {
  child: ChildProcess;
  /** Of its server, and of its health server. */
  ports: [number, number];
  healthUrl: string;
}

let apiserver: Started;
let admission: Started;
let output = '';
let url: string;
let kubectl: string;

function write(name: string, content: string | Buffer): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), content);
}

function writeSettings(): void {
  write('keys/master-keys', `k1:${randomBytes(32).toString('base64')}\n`);
  for (const file of ['access-keys', 'cursor-keys']) {
    write(`keys/${file}`, `k1:${randomBytes(32).toString('base64')}\n`);
  }
  write('keys/api-key-pepper', randomBytes(32));
  write('bootstrap/keyId', 'first\n');
  write('bootstrap/keySecret', 'secret\n');
  const defaultWorkspace = { id: 'default', namespace };
  const engines = { 'evm-dev': { image: 'evm-dev' } };
  write('config/config.json', JSON.stringify({ publicUrl: 'http://x', defaultWorkspace, engines }));
  mkdirSync(tlsFolder);
  writeCertificate(tlsFolder);
}

function startProcess(entry: string, [port, metricsPort]: [number, number]): ChildProcess {
  const env = {
    POD_NAMESPACE: namespace,
    PORT: String(port),
    ADMISSION_PORT: String(port),
    METRICS_PORT: String(metricsPort),
    CONFIG_DIR: join(folder, 'config'),
    KEYS_DIR: join(folder, 'keys'),
    BOOTSTRAP_DIR: join(folder, 'bootstrap'),
    DRAIN_MS: '1500',
    // Neither process gets what the chart does not give it.
    ...(entry === 'main.ts' ? { KUBECONFIG: kubeconfigPath } : { TLS_DIR: tlsFolder }),
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, entry)], { env });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  return child;
}

const statusOf = async (address: string, headers = {}): Promise<number> =>
  fetch(address, { headers }).then(
    ({ status }) => status,
    () => 0,
  );

/** Another program may take a chosen port before it is used: then the process exits, and other ports are chosen. */
async function startUntilReady(entry: string): Promise<Started> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const [port = 0, metricsPort = 0] = await freePorts(2);
    const healthUrl = `http://127.0.0.1:${metricsPort}`;
    const child = startProcess(entry, [port, metricsPort]);
    const state = await eventually(
      async () => (child.exitCode === null ? await statusOf(`${healthUrl}/readyz`) : 'ended'),
      (found) => found === 200 || found === 'ended',
    );
    if (state === 200) return { child, ports: [port, metricsPort], healthUrl };
  }
  throw new Error(`the process did not become ready: ${output}`);
}

beforeAll(async () => {
  ({ kubectl } = await ensureTools(['kubectl']));
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  writeSettings();
  admission = await startUntilReady('admission/main.ts');
  apiserver = await startUntilReady('main.ts');
  url = `http://127.0.0.1:${apiserver.ports[0]}`;
  await kube.create(
    webhookType,
    sealWebhook({ name: namespace, namespace, port: admission.ports[0], folder: tlsFolder }),
  );
  // A new webhook takes effect after a moment: wait for the first object that it seals.
  await eventually(
    async () => {
      await kube.delete(secretType, { namespace, name: 'probe' });
      return kube.create(secretType, aSecret('probe', 'eA==', 'note'));
    },
    ({ spec }) => isSealed(spec.data),
  );
});
afterAll(async () => {
  apiserver.child.kill('SIGKILL');
  admission.child.kill('SIGKILL');
  await kube.delete(webhookType, { name: namespace });
  await kube.delete(namespaceType, { name: namespace });
  await kube.close();
  rmSync(folder, { recursive: true });
});

const aSecret = (name: string, content: string, type = 'private-key') => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Secret' as const,
  metadata: { name, namespace },
  spec: { type, data: content },
});

function apply(object: object, ...flags: string[]): string {
  const options = { input: JSON.stringify(object), env: { KUBECONFIG: kubeconfigPath, HOME: tmpdir() } };
  try {
    return execFileSync(kubectl, ['apply', ...flags, '-f', '-'], { ...options, stdio: 'pipe' }).toString();
  } catch (error) {
    return String(error instanceof Error && 'stderr' in error ? error.stderr : error);
  }
}

const stored = (name: string) => kube.get(secretType, { namespace, name });

describe('secrets created with kubectl', () => {
  it('are stored sealed, without plain bytes anywhere in the object', async () => {
    expect(apply(aSecret('by-kubectl', data))).toContain('created');
    const object = await stored('by-kubectl');
    expect(isSealed(object?.spec.data ?? '')).toBe(true);
    expect(JSON.stringify(object)).not.toContain(data);
    expect(JSON.stringify(object?.metadata.annotations)).toContain('(sealed)');
  });

  it('do not change if applied again, client-side or server-side', async () => {
    const before = await stored('by-kubectl');
    apply(aSecret('by-kubectl', data));
    apply(aSecret('by-kubectl', data), '--dry-run=server');
    expect(await stored('by-kubectl')).toEqual(before);
    apply(aSecret('by-kubectl', data), '--server-side', '--force-conflicts');
    expect((await stored('by-kubectl'))?.spec).toEqual(before?.spec);
  });

  it.each([
    [
      'base64 of hexadecimal text',
      Buffer.from(canary.toString('hex')).toString('base64'),
      'hexadecimal text',
    ],
    ['not base64', 'no base64!', 'canonical base64'],
    ['empty data', '', 'is empty'],
  ])('%s is refused, naming but not quoting spec.data', async (_reason, wrong, message) => {
    const said = apply(aSecret('wrong', wrong));
    expect(said).toContain('spec.data');
    expect(said).toContain(message);
    if (wrong) expect(said).not.toContain(wrong);
    expect(await stored('wrong')).toBeUndefined();
  });

  it('a sealed text cannot be moved to another name', async () => {
    const sealed = (await stored('by-kubectl'))?.spec.data ?? '';
    expect(apply(aSecret('moved', sealed))).toContain('sealed for another owner, name or namespace');
    expect(await stored('moved')).toBeUndefined();
  });

  it('behave like those created over REST, which pass the same webhook', async () => {
    const body = JSON.stringify({ name: 'by-rest', type: 'private-key', data });
    const headers = { ...authorization, 'Content-Type': 'application/json' };
    const created = await fetch(`${url}/v1alpha/secrets`, { method: 'POST', headers, body });
    expect(created.status).toBe(201);
    const { id } = JSON.parse(await created.text());
    const read = await fetch(`${url}/v1alpha/secrets/${id}`, { headers });
    expect(JSON.parse(await read.text()).data).toBe(data);
  });
});

describe('a user of Kubernetes who may edit secrets', () => {
  const asEve = '--as=eve';
  const run = (...args: string[]) =>
    execFileSync(kubectl, ['--namespace', namespace, ...args], {
      env: { KUBECONFIG: kubeconfigPath, HOME: tmpdir() },
      stdio: 'pipe',
    });
  const owned = (name: string, owner: string, content: string) => {
    const secret = aSecret(name, content);
    return { ...secret, metadata: { ...secret.metadata, labels: { [labels.owner]: owner } } };
  };
  beforeAll(() => {
    run('create', 'role', 'editor', '--verb=*', '--resource=secrets.slipway.dev');
    run('create', 'rolebinding', 'editor', '--role=editor', '--user=eve');
  });

  it.each(['eve', adminUserId])('cannot create one that %s owns', async (owner) => {
    expect(apply(owned('claimed', owner, data), asEve)).toMatch(
      /Forbidden.*slipway\.dev\/owner says whose object this is/s,
    );
    expect(await stored('claimed')).toBeUndefined();
  });

  it("cannot take over another user's, and may change and restore it", async () => {
    const before = await stored('by-rest');
    const sealed = before?.spec.data ?? '';
    expect(apply(owned('by-rest', 'eve', sealed), asEve)).toMatch(
      /Forbidden.*slipway\.dev\/owner says whose object this is/s,
    );
    run('delete', 'secrets.slipway.dev', 'by-rest', asEve);
    expect(apply(owned('by-rest', 'eve', sealed), asEve)).toMatch(/Forbidden/);
    expect(apply(owned('by-rest', adminUserId, sealed), asEve)).toContain('created');
    expect((await stored('by-rest'))?.spec).toEqual(before?.spec);
  });
});

it('no part of a secret was logged', () => {
  expect(output).toContain('"audit":true');
  for (const text of [data, canary.toString('hex'), 'Bearer', 'first.secret'])
    expect(output).not.toContain(text);
});

it('each process exposes its own metrics', async () => {
  const textOf = async ({ healthUrl }: Started) => (await fetch(`${healthUrl}/metrics`)).text();
  const [ofApi, ofWebhook] = [await textOf(apiserver), await textOf(admission)];
  expect(ofApi).toMatch(/slipway_http_requests_total\{operation="createSecret",code="201"\} 1/);
  expect(ofWebhook).toMatch(/slipway_admission_reviews_total\{outcome="refused"\} \d/);
  expect(ofApi).not.toContain('slipway_admission');
  for (const text of [ofApi, ofWebhook]) expect(text).toContain('process_cpu_user_seconds_total');
});

it('after SIGTERM it is not ready, keeps serving for a while, completes requests in flight and exits 0', async () => {
  const { child, healthUrl } = apiserver;
  const half = openRequest();
  await eventually(
    async () => half.socket?.writableLength,
    (length) => length === 0,
  );
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await eventually(
    () => statusOf(`${healthUrl}/readyz`),
    (status) => status === 503,
  );
  expect(await statusOf(`${url}/v1alpha/networks`, authorization)).toBe(200);
  await eventually(
    () => statusOf(`${url}/v1alpha/networks`, authorization),
    (status) => status === 0,
  );
  half.end('"}');
  const [response] = await once(half, 'response');
  response.resume();
  expect(response.statusCode).toBe(400);
  expect(await exited).toEqual([0, null]);
});

it('after SIGTERM the webhook answers, asks the caller to go to another replica, and exits 0', async () => {
  const { child, healthUrl, ports } = admission;
  expect((await reviewAt(ports[0])).headers.connection).toBe('keep-alive');
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await eventually(
    () => statusOf(`${healthUrl}/readyz`),
    (status) => status === 503,
  );
  expect(await reviewAt(ports[0])).toMatchObject({ statusCode: 200, headers: { connection: 'close' } });
  expect(await exited).toEqual([0, null]);
});

/** The answer to a review that there is nothing to decide on. */
async function reviewAt(port: number): Promise<IncomingMessage> {
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { uid: 'u', operation: 'DELETE' },
  };
  const ca = readFileSync(join(tlsFolder, 'tls.crt'));
  const target = { host: '127.0.0.1', servername: 'localhost', port, path: secretsPath, method: 'POST', ca };
  const call = httpsRequest({ ...target, agent: new Agent({ keepAlive: true, maxSockets: 1 }) });
  call.end(JSON.stringify(review));
  const [response] = await once(call, 'response');
  response.resume();
  return response;
}

/** A POST whose body is not complete yet. */
function openRequest() {
  const headers = { ...authorization, 'Content-Type': 'application/json' };
  const half = httpRequest(`${url}/v1alpha/networks`, { method: 'POST', headers });
  half.write('{"name":"');
  return half;
}
