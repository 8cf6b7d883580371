import { labels } from '../../../core/api/names.ts';
import { type EnginePart, forkUrlVariable } from '../../../core/chains/driver.ts';
import { type RunningAnvil, startAnvil } from '../../../core/chains/evm/testing/startAnvil.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { ConfigMap, Pod } from '../../../core/kube/types.ts';

interface RoomCaches {
  pods: Reflector<Pod>;
  configMaps: Reflector<ConfigMap>;
}

/** Runs a real anvil for each chain pod of a stage, with the pod's own arguments and files. */
export interface EngineRoom {
  /** The URL of the chain that a network runs now; undefined until its anvil answers. */
  urlOf(networkUid: string): string | undefined;
  /** Resolves when the anvil of its chain pod answers. */
  serves(networkUid: string): Promise<void>;
  stop(): Promise<void>;
}

export function openEngineRoom({ pods, configMaps }: RoomCaches, forkUrl: string): EngineRoom {
  const begun = new Map<string, Promise<RunningAnvil>>();
  const running = new Map<string, RunningAnvil>();
  const see = (pod: Pod) => {
    const data = dataOf(pod);
    if (!isChain(pod) || pod.metadata.deletionTimestamp || begun.has(data)) return;
    const part = partOf(pod, configMaps);
    if (!part) return;
    const anvil = startAnvil(part, forkUrl);
    begun.set(data, anvil);
    anvil.then((one) => void running.set(data, one)).catch(() => undefined);
  };
  const seeAll = () => pods.list().forEach(see);
  const stops = [pods.onChange(seeAll), configMaps.onChange(seeAll)];
  seeAll();
  const podOf = (uid: string) =>
    pods.byIndex('network', uid).find((one) => isChain(one) && !one.metadata.deletionTimestamp);
  return {
    urlOf(uid) {
      const pod = podOf(uid);
      return pod && running.get(dataOf(pod))?.url;
    },
    async serves(uid) {
      const pod = podOf(uid);
      await (pod && begun.get(dataOf(pod)));
    },
    async stop() {
      for (const stop of stops) stop();
      const anvils = await Promise.allSettled(begun.values());
      await Promise.all(anvils.map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)));
    },
  };
}

const isChain = ({ metadata }: Pod) =>
  metadata.labels?.[labels.part] === 'rpc' && metadata.labels[labels.plugin] === undefined;

/** What keeps the chain: the volume, or else the pod. */
function dataOf({ metadata, spec }: Pod): string {
  const claims = (spec.volumes ?? []).map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName);
  return `${metadata.namespace}/${claims.find((name) => name !== undefined) ?? metadata.uid}`;
}

/** The part that a pod runs; undefined while its files are not known yet. */
function partOf({ metadata: { namespace = '' }, spec }: Pod, configMaps: RoomCaches['configMaps']) {
  const [engine] = spec.containers;
  const name = spec.volumes?.find(({ configMap }) => configMap)?.configMap?.name ?? '';
  const texts = configMaps.get({ namespace, name })?.data;
  const mounts = (engine?.volumeMounts ?? []).filter((mount) => mount.name === 'files');
  if (!engine || (mounts.length > 0 && !texts)) return undefined;
  const part: EnginePart = {
    name: 'rpc',
    engine: 'evm-dev',
    args: engine.args ?? [],
    readyPort: 'rpc',
    ports: { rpc: 8545 },
    files: Object.fromEntries(
      mounts.map(({ mountPath, subPath = '' }) => [mountPath, texts?.[subPath] ?? '']),
    ),
  };
  return part;
}

/** Whether a pod is given the URL of a fork's source. */
export function readsForkSource({ spec }: Pod): boolean {
  const programs = [...spec.containers, ...(spec.initContainers ?? [])];
  return programs.some(({ env = [] }) => env.some(({ name }) => name === forkUrlVariable));
}
