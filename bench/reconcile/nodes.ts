import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { KubeClient } from '../../core/kube/client/client.ts';
import type { KubeObject, ResourceType } from '../../core/kube/kube.ts';
import { ensureTools } from '../../hack/tools/ensure.ts';

const nodeType: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};
const nodeCount = 10;

/**
 * Nodes without machines: kwok makes each pod on them Ready at once, kube-scheduler gives pods to them.
 * The answer ends both programs.
 */
export async function startNodes(kube: KubeClient, kubeconfig: string): Promise<() => Promise<void>> {
  const tools = await ensureTools(['kwok', 'kube-scheduler']);
  const children = [
    // The name of a file that does not exist: kwok's own stages, whatever the machine's user has.
    start(tools.kwok, ['--kubeconfig', kubeconfig, '--manage-all-nodes', '--config', '/dev/null']),
    start(tools['kube-scheduler'], [
      `--kubeconfig=${kubeconfig}`,
      '--leader-elect=false',
      '--secure-port=0',
      // Its own limit of 50 requests a second would be what is measured.
      '--kube-api-qps=10000',
      '--kube-api-burst=10000',
    ]),
  ];
  for (let index = 0; index < nodeCount; index += 1) await createNode(kube, `kwok-${index}`);
  return async () => void (await Promise.all(children.map(end)));
}

function start(command: string, args: string[]): ChildProcess {
  return spawn(command, args, { stdio: 'ignore' });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function createNode(kube: KubeClient, name: string): Promise<void> {
  const room = { cpu: '1000', memory: '1Ti', pods: '10000' };
  const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name } };
  await kube.create(nodeType, node);
  await kube.patch(nodeType, { name }, { status: { capacity: room, allocatable: room } }, 'status');
  // Admission taints a new node until a controller, which is not here, finds it ready.
  await kube.patch(nodeType, { name }, { spec: { taints: null } });
}
