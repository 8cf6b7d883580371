import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { compact } from '../../core/lib/compact.ts';
import { getJson, kubectl, namespace } from '../../e2e/lib/cluster.ts';
import { memoryOfPods } from '../../e2e/lib/memory.ts';
import { type ReadinessCallName, readinessCalls } from '../../e2e/lib/readinessCalls.ts';
import { kubeconfig, until } from '../../e2e/lib/service.ts';
import { withoutLauncher } from './cold.ts';
import { round } from './report.ts';

const bin = join(import.meta.dirname, '..', '..', '.slipway', 'bin', 'kubectl');
const label = 'bench.local';
/** The time from the manual start to the genesis, as in the operator: clients must be up one 12 s slot later. */
const leadSeconds = 8;
const settleMs = 15_000;

/** All objects of a network as text, to be recreated under other names. */
export interface Model {
  text: string;
  name: string;
  uid: string;
  /** The genesis time in Unix seconds, for chains whose nodes know it in advance. */
  genesis?: number;
  /** The part and the port behind each service. */
  ports: Map<string, { part: string; port: number }>;
}

/** Reads the objects of a running network. */
export async function modelOf(id: string): Promise<Model> {
  const kinds = 'configmaps,secrets,services,persistentvolumeclaims,pods';
  const { items: found } = await getJson(kinds, '--selector', `slipway.dev/network=${id}`);
  const items = (await Promise.all(found.map(withoutLauncher))).flat();
  const [{ metadata }] = items;
  const [{ name, uid }] = metadata.ownerReferences;
  const network = await getJson('networks.slipway.dev', name);
  const at = Date.parse(network.status.genesis?.at ?? '') / 1_000;
  const ports = new Map<string, { part: string; port: number }>();
  for (const { kind, spec } of items) {
    if (kind !== 'Service') continue;
    for (const { name: service, targetPort } of spec.ports ?? [])
      ports.set(service, { part: spec.selector['slipway.dev/part'] ?? '', port: targetPort });
  }
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: items.map(bareOf) });
  return { text, name, uid, ports, ...(Number.isNaN(at) ? {} : { genesis: at }) };
}

/** The object as a person would write it: without owner references and what the cluster has added. */
// biome-ignore lint/suspicious/noExplicitAny: objects of any kind
export function bareOf({ apiVersion, kind, metadata, status: _status, ...rest }: any): object {
  const { name, labels } = metadata;
  const { nodeName: _node, clusterIPs: _ips, ...spec } = rest.spec ?? {};
  return {
    apiVersion,
    kind,
    metadata: { name, labels },
    ...rest,
    ...compact({ spec: rest.spec && spec }),
  };
}

interface Hand {
  untilAnswered(urlOf: () => Promise<string | undefined>, callName: ReadinessCallName): Promise<void>;
  hasMemory: boolean;
}

/** Creates the model's objects with kubectl, waits until the pods respond at their addresses, and deletes the objects. */
export async function measureByHand(
  model: Model,
  calls: readonly ReadinessCallName[],
  { untilAnswered, hasMemory }: Hand,
): Promise<{ elapsedMs: number; memoryMiB: number }> {
  const own = `bench-${randomBytes(4).toString('hex')}`;
  const selector = `${label}/network=${own}`;
  const objects = objectsOf(model, own);
  const startMs = performance.now();
  const { code, stderr } = await kubectl(['create', '--filename', '-'], objects);
  if (code !== 0) throw new Error(stderr);
  const addresses = watchAddresses(selector);
  try {
    for (const callName of calls) {
      const { part, port } = model.ports.get(readinessCalls[callName].service) ?? { part: '', port: 0 };
      await untilAnswered(async () => {
        const address = addresses.of(part);
        return address && `http://${address}:${port}`;
      }, callName);
    }
    const elapsedMs = performance.now() - startMs;
    return { elapsedMs, memoryMiB: hasMemory ? await workingSetOf(selector) : Number.NaN };
  } finally {
    addresses.stop();
    const kinds = 'pods,services,configmaps,secrets,persistentvolumeclaims';
    await kubectl(['delete', kinds, '--selector', selector, '--grace-period=1']);
  }
}

function objectsOf({ text, name, uid, genesis }: Model, own: string): string {
  const renamed = text.replaceAll(uid, own).replaceAll(name, own).replaceAll('slipway.dev/', `${label}/`);
  if (genesis === undefined) return renamed;
  const next = Math.ceil(Date.now() / 1_000) + leadSeconds;
  return renamed
    .replaceAll(String(genesis), String(next))
    .replaceAll(`0x${genesis.toString(16)}`, `0x${next.toString(16)}`);
}

/** Watches pod addresses by part; if the network has a single pod, its address is used for every part. */
function watchAddresses(selector: string) {
  const output = `jsonpath={.metadata.labels.bench\\.local/part} {.status.podIP}{"\\n"}`;
  const args = [
    '--namespace',
    namespace,
    'get',
    'pods',
    '--selector',
    selector,
    '--watch',
    '--output',
    output,
  ];
  const watching = execFile(bin, args, { env: { ...process.env, KUBECONFIG: kubeconfig } });
  const found = new Map<string, string>();
  watching.stdout?.on('data', (chunk: string) => {
    for (const [, part = '', address = ''] of chunk.matchAll(/^(\S+) (\S+)$/gm)) found.set(part, address);
  });
  return {
    of: (part: string) => found.get(part) ?? (part === '' ? [...found.values()][0] : undefined),
    stop: () => void watching.kill(),
  };
}

/** The total working set of the pods that match a selector, in MiB, measured after they have settled. */
export async function workingSetOf(selector: string): Promise<number> {
  const { items } = await getJson('pods', '--selector', selector);
  const names: string[] = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  const bytes = (all: Map<string, number>) => names.map((name) => all.get(`${namespace}/${name}`));
  const sinceMs = Date.now() + settleMs;
  const counted = await until(
    'the memory metrics of each pod',
    () => memoryOfPods(sinceMs),
    (all) => bytes(all).every((one) => one !== undefined),
  );
  return round(bytes(counted).reduce((sum: number, one) => sum + (one ?? 0), 0) / 1024 ** 2, 0);
}
