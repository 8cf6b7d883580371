import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../hack/cluster/native/setup/layout.ts';
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
  const pids = processesOf(metadata.uid);
  if (pids.length === 0) throw new Error(`pod ${namespace}/${name} has no processes on this machine`);
  for (const pid of pids) kill(pid, signal);
}

/** The first process of a container takes the others with it. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The processes in a pod's cgroup; the kubelet names it after the pod's uid. */
function processesOf(podUid: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    const cgroup = readProcess(pid, 'cgroup');
    const isOfPod = cgroup.includes(`pod${podUid}`) || cgroup.includes(`pod${podUid.replaceAll('-', '_')}`);
    return isOfPod && !readProcess(pid, 'cmdline').startsWith('/pause');
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
