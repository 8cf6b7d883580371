import { getJson, runProgram } from './cluster.ts';

interface PodSummary {
  podRef: { name: string; namespace: string };
  memory?: { time: string; workingSetBytes?: number };
}

/** Pod working sets in bytes by `namespace/name`, as measured after `sinceMs`. Kubelets measure about every ten seconds. */
export async function memoryOfPods(sinceMs: number): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const { items } = await getJson('nodes');
  for (const { metadata } of items) {
    const path = `/api/v1/nodes/${metadata.name}/proxy/stats/summary`;
    const { code, stdout, stderr } = await runProgram('kubectl', ['get', '--raw', path]);
    if (code !== 0) throw new Error(stderr);
    for (const { podRef, memory } of JSON.parse(stdout).pods as PodSummary[]) {
      const { time = '', workingSetBytes: bytes } = memory ?? {};
      if (bytes !== undefined && Date.parse(time) > sinceMs)
        sums.set(`${podRef.namespace}/${podRef.name}`, bytes);
    }
  }
  return sums;
}
