import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type ResourceType, resourceType } from '../../core/api/resources/kubeObject.ts';
import { createKube } from '../../core/kube/client/client.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import { kubeconfigYaml } from '../lib/kubeconfig.ts';
import { identify, isAlive, stopProcess } from '../lib/processes.ts';
import { run } from '../lib/run.ts';
import { waitUntil } from '../lib/wait.ts';
import { ensureTools } from '../tools/ensure.ts';
import { startApiserver } from './control.ts';
import { apiserverServer, encryptionAtRest, etcdServer, writeCredentials } from './definitions.ts';
import { freePorts, startServer, waitForOk } from './servers.ts';
import { type EnvironmentState, readState, stateFileIn, writeState } from './state.ts';

const FOLDER_PREFIX = 'slipway-testenv-';
const READY_LIMIT_MS = 120_000;

/** What is read of a CRD. */
interface Definition {
  spec: { group: string; names: { kind: string }; scope: string; versions: [{ name: string }] };
}

export interface TestEnvironment {
  /** Path of a kubeconfig with administrator access by token. */
  kubeconfig: string;
  /** Path of the state file, which the functions of control.ts need. */
  stateFile: string;
  stop(): Promise<void>;
}

export interface TestEnvironmentOptions {
  /** YAML files with CRDs, which are installed and established before the environment is returned. */
  crdFiles?: string[];
  /** Resources such as `secrets.slipway.dev` that kube-apiserver encrypts before it stores them in etcd. */
  encryptedResources?: string[];
}

/**
 * Starts a private etcd and kube-apiserver on free loopback ports with their data in a temporary folder:
 * a real Kubernetes API without nodes. Does not need root. Uses binaries from the cache and builds missing ones.
 */
export async function startTestEnvironment(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  await removeAbandoned();
  const tools = await ensureTools(['etcd', 'kube-apiserver', 'kubectl']);
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  const stop = () => removeEnvironment(folder);
  try {
    const state = await startServers(folder, tools, options.encryptedResources ?? []);
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
  encryptedResources: string[],
): Promise<EnvironmentState> {
  const [clientPort = 0, peerPort = 0, apiPort = 0] = await freePorts(3);
  const owner = identify(process.pid);
  if (!owner) throw new Error('this process cannot be identified');
  const token = randomBytes(24).toString('hex');
  writeCredentials(folder, token);
  const etcdUrl = `http://127.0.0.1:${clientPort}`;
  const apiserver = apiserverServer(folder, tools['kube-apiserver'], { etcdPort: clientPort, port: apiPort });
  if (encryptedResources.length > 0) apiserver.args.push(encryptionAtRest(folder, encryptedResources));
  const state: EnvironmentState = {
    folder,
    owner,
    kubeconfig: join(folder, 'kubeconfig'),
    apiserverUrl: `https://127.0.0.1:${apiPort}`,
    etcdUrl,
    etcd: etcdServer(folder, tools.etcd, { clientPort, peerPort }),
    apiserver,
  };
  state.etcd.process = startServer(state.etcd);
  writeState(state);
  await waitForOk(`${etcdUrl}/health`, state.etcd, READY_LIMIT_MS);
  await startApiserver(stateFileIn(folder));
  const authority = readFileSync(join(folder, 'certs', 'apiserver.crt'));
  writeFileSync(state.kubeconfig, kubeconfigYaml({ server: state.apiserverUrl, authority, token }), {
    mode: 0o600,
  });
  return state;
}

async function installCrds(kubectl: string, kubeconfig: string, files: string[]): Promise<void> {
  if (files.length === 0) return;
  const env = { KUBECONFIG: kubeconfig };
  await run(kubectl, ['apply', '--server-side', ...files.flatMap((file) => ['-f', file])], { env });
  const kube = createKube({ log: silentLog, clock: systemClock, kubeconfigPath: kubeconfig });
  try {
    await Promise.all(files.map(definedIn).map((type) => untilListed(kube, type)));
  } finally {
    await kube.close();
  }
}

/** The kind that a CRD file defines. */
function definedIn(file: string): ResourceType {
  const { spec } = parse(readFileSync(file, 'utf8')) as Definition;
  return resourceType(`${spec.group}/${spec.versions[0].name}`, spec.names.kind, spec.scope === 'Namespaced');
}

/** kube-apiserver does not know a kind at first, and answers with 429 while it fills its cache of it. */
function untilListed(kube: Kube, type: ResourceType): Promise<void> {
  const isListed = () =>
    kube.list(type).then(
      () => true,
      (error: unknown) => {
        if (isAppError(error, 'NotFound') || isAppError(error, 'TooManyRequests')) return false;
        throw error;
      },
    );
  return waitUntil(isListed, READY_LIMIT_MS, `kube-apiserver does not serve ${type.kind}`);
}

async function removeEnvironment(folder: string): Promise<void> {
  const state = readStateIn(folder);
  if (state?.apiserver.process) await stopProcess(state.apiserver.process, 2000);
  if (state?.etcd.process) await stopProcess(state.etcd.process, 2000);
  rmSync(folder, { recursive: true, force: true });
}

/** Removes environments of test runs that were killed before they could clean up. */
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
