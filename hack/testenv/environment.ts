import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfigYaml } from '../lib/kubeconfig.ts';
import { identify, isAlive, stopProcess } from '../lib/processes.ts';
import { run } from '../lib/run.ts';
import { ensureTools } from '../tools/ensure.ts';
import { startApiserver } from './control.ts';
import { freePorts, startServer, waitForOk } from './servers.ts';
import { type EnvironmentState, readState, type ServerState, stateFileIn, writeState } from './state.ts';

const FOLDER_PREFIX = 'slipway-testenv-';
const READY_LIMIT_MS = 60_000;

export interface TestEnvironment {
  /** Administrator's access, by token. */
  kubeconfig: string;
  /** For the functions of control.ts. */
  stateFile: string;
  stop(): Promise<void>;
}

export interface TestEnvironmentOptions {
  /** YAML files with CRDs that are installed and established before the environment is handed over. */
  crdFiles?: string[];
}

/**
 * Starts a private etcd and kube-apiserver on free loopback ports, with their data in a temporary folder:
 * a real Kubernetes API without nodes. Needs no root. Built binaries are taken from the cache.
 */
export async function startTestEnvironment(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  await removeAbandoned();
  const tools = await ensureTools(['etcd', 'kube-apiserver', 'kubectl']);
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  const stop = () => removeEnvironment(folder);
  try {
    const state = await startServers(folder, tools);
    await installCrds(tools.kubectl, state.kubeconfig, options.crdFiles ?? []);
    return { kubeconfig: state.kubeconfig, stateFile: stateFileIn(folder), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startServers(
  folder: string,
  tools: Record<'etcd' | 'kube-apiserver', string>,
): Promise<EnvironmentState> {
  const [clientPort = 0, peerPort = 0, apiPort = 0] = await freePorts(3);
  const owner = identify(process.pid);
  if (!owner) throw new Error('this process cannot be identified');
  const token = randomBytes(24).toString('hex');
  writeCredentials(folder, token);
  const state: EnvironmentState = {
    folder,
    owner,
    kubeconfig: join(folder, 'kubeconfig'),
    apiserverUrl: `https://127.0.0.1:${apiPort}`,
    etcd: etcdServer(folder, tools.etcd, clientPort, peerPort),
    apiserver: apiserverServer(folder, tools['kube-apiserver'], clientPort, apiPort),
  };
  state.etcd.process = startServer(state.etcd);
  writeState(state);
  await waitForOk(`http://127.0.0.1:${clientPort}/health`, state.etcd, READY_LIMIT_MS);
  await startApiserver(stateFileIn(folder));
  const authority = readFileSync(join(folder, 'certs', 'apiserver.crt'));
  writeFileSync(state.kubeconfig, kubeconfigYaml({ server: state.apiserverUrl, authority, token }), {
    mode: 0o600,
  });
  return state;
}

function writeCredentials(folder: string, token: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeFileSync(join(folder, 'sa.key'), privateKey, { mode: 0o600 });
  writeFileSync(join(folder, 'sa.pub'), publicKey);
  writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,system:masters\n`, { mode: 0o600 });
}

function etcdServer(folder: string, command: string, clientPort: number, peerPort: number): ServerState {
  const client = `http://127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const args = [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
  return { command, args, logFile: join(folder, 'etcd.log') };
}

function apiserverServer(folder: string, command: string, etcdPort: number, port: number): ServerState {
  const args = [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--cert-dir=${join(folder, 'certs')}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--secure-port=${port}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'sa.pub')}`,
    `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--disable-admission-plugins=ServiceAccount',
    '--allow-privileged=true',
  ];
  return { command, args, logFile: join(folder, 'kube-apiserver.log') };
}

async function installCrds(kubectl: string, kubeconfig: string, files: string[]): Promise<void> {
  if (files.length === 0) return;
  const sources = files.flatMap((file) => ['-f', file]);
  const env = { KUBECONFIG: kubeconfig };
  await run(kubectl, ['apply', '--server-side', ...sources], { env });
  await run(kubectl, ['wait', '--for=condition=Established', '--timeout=30s', ...sources], { env });
}

async function removeEnvironment(folder: string): Promise<void> {
  const state = readStateIn(folder);
  if (state?.apiserver.process) await stopProcess(state.apiserver.process, 2000);
  if (state?.etcd.process) await stopProcess(state.etcd.process, 2000);
  rmSync(folder, { recursive: true, force: true });
}

/** Removes environments of runs that were killed before they could clean up. */
async function removeAbandoned(): Promise<void> {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(FOLDER_PREFIX));
  for (const folder of folders.map((name) => join(tmpdir(), name))) {
    const state = readStateIn(folder);
    if (state && !isAlive(state.owner)) await removeEnvironment(folder);
  }
}

function readStateIn(folder: string): EnvironmentState | undefined {
  try {
    return readState(stateFileIn(folder));
  } catch {
    return undefined;
  }
}
