import { signal, stopProcess } from '../lib/processes.ts';
import { startServer, waitForOk } from './servers.ts';
import { readState, writeState } from './state.ts';

const READY_LIMIT_MS = 120_000;

/** The environment variable that holds the path of the test environment's state file. */
export const STATE_VARIABLE = 'SLIPWAY_TEST_STATE';

/** Stops kube-apiserver (SIGTERM, then SIGKILL) and resolves when it has exited. etcd keeps the data. */
export async function stopApiserver(stateFile = currentStateFile(), graceMs = 5000): Promise<void> {
  const { process } = readState(stateFile).apiserver;
  if (process) await stopProcess(process, graceMs);
}

/** Kills kube-apiserver immediately, like a crash. */
export function killApiserver(stateFile = currentStateFile()): Promise<void> {
  return stopApiserver(stateFile, 0);
}

/** Restarts kube-apiserver on the same port and resolves when it is ready. */
export async function startApiserver(stateFile = currentStateFile()): Promise<void> {
  const state = readState(stateFile);
  state.apiserver.process = startServer(state.apiserver);
  writeState(state);
  await waitForOk(`${state.apiserverUrl}/readyz`, state.apiserver, READY_LIMIT_MS);
}

/** Pauses kube-apiserver (SIGSTOP): connections stay open, but requests get no response. */
export function pauseApiserver(stateFile = currentStateFile()): void {
  signalApiserver(stateFile, 'SIGSTOP');
}

/** Resumes a paused kube-apiserver. */
export function resumeApiserver(stateFile = currentStateFile()): void {
  signalApiserver(stateFile, 'SIGCONT');
}

function signalApiserver(stateFile: string, name: NodeJS.Signals): void {
  const { process } = readState(stateFile).apiserver;
  if (!process || !signal(process, name))
    throw new Error('the kube-apiserver of the test environment is not running');
}

function currentStateFile(): string {
  const file = process.env[STATE_VARIABLE];
  if (!file) throw new Error(`${STATE_VARIABLE} is not set: no test environment is running`);
  return file;
}

/** Makes etcd forget what was before `resourceVersion`, as it does in a cluster after five minutes. */
export async function compactEtcd(stateFile: string, resourceVersion: string): Promise<void> {
  const { etcdUrl } = readState(stateFile);
  const body = JSON.stringify({ revision: resourceVersion, physical: true });
  const answer = await fetch(`${etcdUrl}/v3/kv/compaction`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`etcd refused the compaction: ${await answer.text()}`);
}
