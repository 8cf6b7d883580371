import { getJson, runProgram } from './cluster.ts';

interface PodSummary {
  podRef: { name: string; namespace: string };
  memory?: { workingSetBytes?: number };
}

/** Working sets of pods in bytes, as the kubelets count them every ten seconds, by `namespace/name`. */
export async function memoryOfPods(): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const { items } = await getJson('nodes');
  for (const { metadata } of items) {
    const path = `/api/v1/nodes/${metadata.name}/proxy/stats/summary`;
    const { code, stdout, stderr } = await runProgram('kubectl', ['get', '--raw', path]);
    if (code !== 0) throw new Error(stderr);
    for (const { podRef, memory } of JSON.parse(stdout).pods as PodSummary[]) {
      const bytes = memory?.workingSetBytes;
      if (bytes !== undefined) sums.set(`${podRef.namespace}/${podRef.name}`, bytes);
    }
  }
  return sums;
}
