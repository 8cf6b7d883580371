import { signal, stopProcess } from '../lib/processes.ts';
import { startServer, waitForOk } from './servers.ts';
import { readState, writeState } from './state.ts';

const READY_LIMIT_MS = 120_000;

/** Name of the environment variable with the path of the state file of the environment under test. */
export const STATE_VARIABLE = 'SLIPWAY_TEST_STATE';

/** Ends the kube-apiserver (SIGTERM, then SIGKILL); resolves when it is gone. etcd keeps the data. */
export async function stopApiserver(stateFile = currentStateFile(), graceMs = 5000): Promise<void> {
  const { process } = readState(stateFile).apiserver;
  if (process) await stopProcess(process, graceMs);
}

/** Kills the kube-apiserver at once, as a crash would. */
export function killApiserver(stateFile = currentStateFile()): Promise<void> {
  return stopApiserver(stateFile, 0);
}

/** Starts the kube-apiserver again on the same port and resolves when it is ready. */
export async function startApiserver(stateFile = currentStateFile()): Promise<void> {
  const state = readState(stateFile);
  state.apiserver.process = startServer(state.apiserver);
  writeState(state);
  await waitForOk(`${state.apiserverUrl}/readyz`, state.apiserver, READY_LIMIT_MS);
}

/** Freezes the kube-apiserver (SIGSTOP): connections stay open and nothing is answered. */
export function pauseApiserver(stateFile = currentStateFile()): void {
  signalApiserver(stateFile, 'SIGSTOP');
}

/** Lets a frozen kube-apiserver go on. */
export function resumeApiserver(stateFile = currentStateFile()): void {
  signalApiserver(stateFile, 'SIGCONT');
}

function signalApiserver(stateFile: string, name: NodeJS.Signals): void {
  const { process } = readState(stateFile).apiserver;
  if (!process || !signal(process, name)) throw new Error('the kube-apiserver under test is not running');
}

function currentStateFile(): string {
  const file = process.env[STATE_VARIABLE];
  if (!file) throw new Error(`${STATE_VARIABLE} is not set: no test environment is running`);
  return file;
}
