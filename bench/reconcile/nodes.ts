import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resourceType } from '../../core/api/resources/kubeObject.ts';
import type { KubeClient } from '../../core/kube/client/client.ts';
import type { KubeObject } from '../../core/kube/kube.ts';
import { ensureTools } from '../../hack/tools/ensure.ts';

const nodeType = resourceType('v1', 'Node', false);
const nodeCount = 10;

/**
 * Simulated nodes: kube-scheduler assigns pods to them and kwok makes the pods Ready immediately.
 * Returns a function that stops both programs.
 */
export async function startNodes(kube: KubeClient, kubeconfig: string): Promise<() => Promise<void>> {
  const tools = await ensureTools(['kwok', 'kube-scheduler']);
  const children = [
    // An empty configuration selects kwok's built-in stages, regardless of the user's own configuration.
    start(tools.kwok, ['--kubeconfig', kubeconfig, '--manage-all-nodes', '--config', '/dev/null']),
    start(tools['kube-scheduler'], [
      `--kubeconfig=${kubeconfig}`,
      '--leader-elect=false',
      '--secure-port=0',
      // Otherwise its default limit of 50 requests per second would dominate the result.
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
  // Admission taints a new node until a controller, which is not running here, sees that it is ready.
  await kube.patch(nodeType, { name }, { spec: { taints: null } });
}
