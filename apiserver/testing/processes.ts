import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretsPath } from '../../admission/listener.ts';
import { sealWebhook, webhookType } from '../../admission/testing/webhook.ts';
import { keyringFiles } from '../../core/accounts/keyring.ts';
import { isSealed } from '../../core/accounts/seal.ts';
import { secretType } from '../../core/api/resources/resources.ts';
import { chartObject } from '../../core/engines/testing/engineSets.ts';
import { createKube, type KubeClient } from '../../core/kube/client/client.ts';
import { configMapType, namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { systemContractsForTests, tokenContractsForTests } from '../../hack/contracts/forTests.ts';
import { systemContractsFile, tokenContractsFolder } from '../../hack/contracts/paths.ts';
import { startTestEnvironment, type TestEnvironment } from '../../hack/testenv/environment.ts';
import { crdFiles } from '../../hack/testenv/globalSetup.ts';
import { freePorts } from '../../hack/testenv/servers.ts';
import { testKubeconfig } from '../../hack/testenv/testKube.ts';
import { ensureTools } from '../../hack/tools/ensure.ts';
import { writeCertificate } from './certificate.ts';
import { eventually } from './eventually.ts';

/** Of the cluster that the processes use. */
export let kubeconfigPath = testKubeconfig();
export const canary = randomBytes(32);
export const data = canary.toString('base64');
export const authorization = { Authorization: 'Bearer first.secret' };

export interface Started {
  child: ChildProcess;
  /** Of its server, and of its health server. */
  ports: [number, number];
  healthUrl: string;
}

/** Of the file that uses processes: the files of a worker share this module. */
export let namespace: string;
export let kube: KubeClient;
let environment: TestEnvironment | undefined;
let folder: string;
let tlsFolder: string;
export let apiserver: Started;
export let admission: Started;
export let output = '';
export let url: string;
export let kubectl: string;

function write(name: string, content: string | Buffer): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), content);
}

function writeSettings(more: object): void {
  write('keys/master-keys', `k1:${randomBytes(32).toString('base64')}\n`);
  for (const file of Object.values(keyringFiles)) {
    write(`keys/${file}`, `k1:${randomBytes(32).toString('base64')}\n`);
  }
  write('keys/api-key-pepper', randomBytes(32));
  write('bootstrap/keyId', 'first\n');
  write('bootstrap/keySecret', 'secret\n');
  const defaultWorkspace = { id: 'default', namespace };
  write('config/config.json', JSON.stringify({ publicUrl: 'http://x', defaultWorkspace, ...more }));
  mkdirSync(tlsFolder);
  writeCertificate(tlsFolder);
}

/**
 * The operator, over the same cluster and with the same settings: it works in all of its namespaces, so the cluster must be one of its
 * own. It ends with the test that started it.
 */
export async function startOperatorProcess(): Promise<Started> {
  if (!environment)
    throw new Error(
      'an operator needs a cluster of its own: useProcesses(settings, { hasOwnCluster: true })',
    );
  systemContractsForTests();
  tokenContractsForTests();
  const [metricsPort = 0] = await freePorts(1);
  const env = {
    POD_NAME: 'operator',
    POD_NAMESPACE: namespace,
    METRICS_PORT: String(metricsPort),
    CONFIG_DIR: join(folder, 'config'),
    KEYS_DIR: join(folder, 'keys'),
    KUBECONFIG: kubeconfigPath,
    SYSTEM_CONTRACTS: systemContractsFile,
    TOKEN_CONTRACTS: tokenContractsFolder,
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../operator/main.ts')], { env });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const healthUrl = `http://127.0.0.1:${metricsPort}`;
  const state = await eventually(
    async () => (child.exitCode === null ? await statusOf(`${healthUrl}/readyz`) : 'ended'),
    (found) => found === 200 || found === 'ended',
  );
  if (state !== 200) throw new Error(`the operator did not become ready: ${output}`);
  return { child, ports: [0, metricsPort], healthUrl };
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
    ...(entry === 'apiserver/main.ts' ? { KUBECONFIG: kubeconfigPath } : { TLS_DIR: tlsFolder }),
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../..', entry)], { env });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  return child;
}

export const statusOf = async (address: string, headers = {}): Promise<number> =>
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

export const aSecret = (name: string, content: string, type = 'private-key') => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Secret' as const,
  metadata: { name, namespace },
  spec: { type, data: content },
});

export function apply(object: object, ...flags: string[]): string {
  const options = { input: JSON.stringify(object), env: { KUBECONFIG: kubeconfigPath, HOME: tmpdir() } };
  try {
    return execFileSync(kubectl, ['apply', ...flags, '-f', '-'], { ...options, stdio: 'pipe' }).toString();
  } catch (error) {
    return String(error instanceof Error && 'stderr' in error ? error.stderr : error);
  }
}

export const stored = (name: string) => kube.get(secretType, { namespace, name });

/** The processes as started by the chart, with the webhook registered for one namespace, and `settings` in their configuration. */
export function useProcesses(
  settings: () => Promise<object> = async () => ({}),
  { hasOwnCluster = false } = {},
): void {
  namespace = `process-${randomBytes(4).toString('hex')}`;
  kubeconfigPath = testKubeconfig();
  environment = undefined;
  folder = mkdtempSync(join(tmpdir(), 'slipway-process-'));
  tlsFolder = join(folder, 'tls');
  output = '';
  beforeAll(async () => {
    ({ kubectl } = await ensureTools(['kubectl']));
    if (hasOwnCluster) environment = await startTestEnvironment({ crdFiles: crdFiles() });
    kubeconfigPath = environment?.kubeconfig ?? kubeconfigPath;
    kube = createKube({ log: silentLog, clock: systemClock, kubeconfigPath });
    await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await kube.create(configMapType, chartObject(namespace));
    writeSettings(await settings());
    admission = await startUntilReady('admission/main.ts');
    apiserver = await startUntilReady('apiserver/main.ts');
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
    await environment?.stop();
    rmSync(folder, { recursive: true });
  });
}

/** The answer to a review that there is nothing to decide on. */
export async function reviewAt(port: number): Promise<IncomingMessage> {
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
export function openRequest() {
  const headers = { ...authorization, 'Content-Type': 'application/json' };
  const half = httpRequest(`${url}/v1alpha/networks`, { method: 'POST', headers });
  half.write('{"name":"');
  return half;
}
