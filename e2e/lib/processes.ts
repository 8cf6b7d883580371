import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../hack/nativeNode/setup/layout.ts';
import { getJson, runProgram } from './cluster.ts';
import { until } from './service.ts';

/** Kills a service of the native node with SIGKILL; its supervisor starts it again. */
export async function killService(name: string): Promise<void> {
  const { code, stderr, stdout } = await runProgram('sv', ['kill', join(layout.services, name)]);
  if (code !== 0) throw new Error(`sv kill ${name}: ${stdout}${stderr}`);
}

/** The name of the pod that holds the operator's lease. A leader that ends gives it back before another one takes it. */
export async function operatorLeader(namespace: string): Promise<string> {
  const find = async () => {
    const { spec } = await getJson('lease', 'slipway-operator', '--namespace', namespace);
    const { items } = await getJson('pods', '--namespace', namespace);
    const names: string[] = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    return names.find((name) => spec.holderIdentity?.startsWith(name)) ?? '';
  };
  return until('a pod that holds the lease', find, Boolean);
}

/** Sends a signal to all processes of a pod's containers, except the pod's sandbox. The pods run on this machine. */
export async function killPod(
  namespace: string,
  name: string,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  const { metadata } = await getJson('pod', name, '--namespace', namespace);
  if (!signalPod(metadata.uid, signal)) {
    throw new Error(`pod ${namespace}/${name} has no processes on this machine`);
  }
}

/**
 * Kills the first of the named pods that runs, and waits for one if none does. A pod that was killed a moment ago has no
 * processes until the kubelet starts them again, while its status may still say that it is ready.
 */
export async function killOneOf(namespace: string, names: () => Promise<string[]>): Promise<void> {
  const killOne = async () => {
    const wanted = await names();
    const { items } = await getJson('pods', '--namespace', namespace);
    const pods: { metadata: { name: string; uid: string } }[] = items;
    return pods.some(({ metadata: { name, uid } }) => wanted.includes(name) && signalPod(uid, 'SIGKILL'));
  };
  await until(`a pod of ${namespace} that runs on this machine, to kill it`, killOne, Boolean);
}

/** False if the pod has no processes on this machine. */
function signalPod(uid: string, signal: NodeJS.Signals): boolean {
  const pids = processesOf(uid);
  for (const pid of pids) kill(pid, signal);
  return pids.length > 0;
}

/** The first process of a container takes the others with it. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The processes in a pod's cgroup, which the kubelet names after the pod's uid. One that ends has no command line any more. */
function processesOf(podUid: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    const cgroup = readProcess(pid, 'cgroup');
    const isOfPod = cgroup.includes(`pod${podUid}`) || cgroup.includes(`pod${podUid.replaceAll('-', '_')}`);
    const command = isOfPod ? readProcess(pid, 'cmdline') : '';
    return command !== '' && !command.startsWith('/pause');
  });
}

/** Empty for a process that has ended. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
