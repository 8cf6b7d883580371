import type { Engines } from '../../../core/api/engines.ts';
import { idOf, originOf } from '../../../core/api/ids.ts';
import type { Installation } from '../../../core/api/installation.ts';
import { labels } from '../../../core/api/names.ts';
import {
  controllerReferenceTo,
  type KubeObject,
  type NamespacedMeta,
} from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { PluginName } from '../../../core/api/resources/plugins.ts';
import type { FromStatus } from '../../../core/api/resources/snapshot.ts';
import type { EnginePart, EnginePlan } from '../../../core/chains/driver.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { hashOf, shortHashOf } from '../../../core/lib/hash.ts';
import { withoutEnding } from '../../../core/lib/text/withoutEnding.ts';

/** The name of the pod's volume with the chain's data. */
export const dataVolume = 'data';

/** The name of the pod's volume with the files of its part. */
export const filesVolume = 'files';

/** The key in the Secret that holds the fork source. */
export const forkUrlKey = 'url';

export interface RenderInput {
  network: Stored<NetworkResource>;
  plan: EnginePlan;
  installation: Installation;
  /** The images of the installation's engines. */
  images: Engines;
  forkSource: string | undefined;
  /** The snapshot that its chain begins from. */
  from?: FromStatus | undefined;
  /** Whether the data is on volumes, which outlive the pods. */
  hasVolumes: boolean;
  /** The parts whose next pods begin without the data that their peers have. */
  partsWithoutCopy?: readonly string[];
}

/**
 * Identifies an incarnation of a network: a hash of its origin and the number of its chain. It is part of the names of
 * pods and files, so that a new incarnation is created next to the old one and running objects are not changed.
 */
export function engineIncarnationOf(network: Stored<NetworkResource>): string {
  return shortHashOf([originOf(network), network.status?.incarnation?.number ?? 0]);
}

/** How much of a child's name is the network's own. */
const maxOwn = 40;
/** The longest name of a Service (RFC 1035). */
const maxServiceName = 63;

/**
 * The name of a network's child. The network's own name is truncated, and may begin with a digit, which the name of a Service
 * (RFC 1035) must not. Volumes have such names: whatever changes one loses its chain.
 */
function nameOf({ metadata }: Stored<NetworkResource>, suffix: string, ownLength = maxOwn): string {
  const own = withoutEnding(metadata.name.slice(0, ownLength), '-');
  return `${/^[a-z]/.test(own) ? own : `n-${own}`}-${suffix}`;
}

/** The same for a Service, whose name is shorter where it would not be valid. */
function serviceNameOf(network: Stored<NetworkResource>, suffix: string): string {
  const excess = Math.max(0, nameOf(network, suffix).length - maxServiceName);
  return nameOf(network, suffix, maxOwn - excess);
}

/**
 * Identifies the chain that the plugins of a network work with. Other than the engine's incarnation, it also changes when
 * the chain is lost with its pod: the plugins then start from scratch, without the data that they had of it.
 */
export function pluginIncarnationOf(network: Stored<NetworkResource>): string {
  const { number = 0, losses = 0 } = network.status?.incarnation ?? {};
  return losses === 0 ? engineIncarnationOf(network) : shortHashOf([originOf(network), number, losses]);
}

/** The incarnation that a part's pod, files and volume belong to. */
export function incarnationOfPart(network: Stored<NetworkResource>, plugin: PluginName | undefined): string {
  return plugin === undefined ? engineIncarnationOf(network) : pluginIncarnationOf(network);
}

/** The name of a part's pod, and of the Service through which the other parts reach it. */
export function nameOfPart(network: Stored<NetworkResource>, part: string, plugin?: PluginName): string {
  return serviceNameOf(network, `${part}-${incarnationOfPart(network, plugin)}`);
}

/** The name of the Secret with which the parts of a plugin start. */
export function pluginKeysName(network: Stored<NetworkResource>, plugin: PluginName): string {
  return nameOf(network, `${plugin}-keys-${shortHashOf([originOf(network), plugin])}`);
}

export function metaOf(
  { network }: Pick<RenderInput, 'network'>,
  suffix: string,
  extraLabels: Record<string, string> = {},
): NamespacedMeta {
  const { namespace } = network.metadata;
  return {
    name: nameOf(network, suffix),
    namespace,
    labels: {
      'app.kubernetes.io/managed-by': 'slipway',
      'app.kubernetes.io/part-of': 'slipway-network',
      [labels.network]: idOf(network),
      ...extraLabels,
    },
    ownerReferences: [{ ...controllerReferenceTo(network), blockOwnerDeletion: true }],
  };
}

/** The metadata of a Service. */
export function serviceMeta(input: RenderInput, suffix: string, labelsOfPart: Record<string, string>) {
  return { ...metaOf(input, suffix, labelsOfPart), name: serviceNameOf(input.network, suffix) };
}

/** Whether a child belongs to an incarnation. Its name says so: somebody may have removed its labels. */
export function isOfIncarnation({ metadata }: KubeObject, incarnation: string): boolean {
  return metadata.name.endsWith(`-${incarnation}`);
}

export function engineMeta(input: RenderInput, part: EnginePart, suffix = ''): NamespacedMeta {
  const incarnation = incarnationOfPart(input.network, part.plugin);
  const extraLabels = {
    [labels.part]: part.name,
    [labels.incarnation]: incarnation,
    ...pluginLabel(part.plugin),
  };
  const meta = metaOf(input, `${part.name}${suffix}-${incarnation}`, extraLabels);
  // Without a suffix it is also the name of the part's Service.
  return suffix === '' ? { ...meta, name: nameOfPart(input.network, part.name, part.plugin) } : meta;
}

/** On children that exist for a plugin alone. */
export function pluginLabel(plugin: PluginName | undefined): Record<string, string> {
  return plugin === undefined ? {} : { [labels.plugin]: plugin };
}

/** Whether a child exists for a plugin alone. */
export const isOfPlugin = ({ metadata }: KubeObject) => metadata.labels?.[labels.plugin] !== undefined;

/** Contains a hash of the source, so that the content of a name never changes. */
export function forkSourceName(input: RenderInput, forkSource: string): string {
  return metaOf(input, `fork-${hashOf([originOf(input.network), forkSource]).slice(0, 10)}`).name;
}

/** For the chain, contains a hash of the content, so that the content of a name never changes. */
export function secretsName(input: RenderInput, plugin?: PluginName): string {
  if (plugin !== undefined) return pluginKeysName(input.network, plugin);
  const origin = originOf(input.network);
  return metaOf(input, `keys-${hashOf([origin, secretsOf(input.plan, plugin)]).slice(0, 10)}`).name;
}

/** The secrets of a plan that belong to a plugin: those that its parts mount. All others are the chain's. */
export function secretsOf(
  { parts, secrets = {} }: EnginePlan,
  plugin: PluginName | undefined,
): Record<string, string> {
  const ofPlugins = new Map(
    parts.flatMap((part) => {
      const programs = part.plugin === undefined ? [] : [part, ...(part.init ?? [])];
      return programs.flatMap(({ secretFiles = {} }) =>
        Object.values(secretFiles).map((name) => [name, part.plugin] as const),
      );
    }),
  );
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => ofPlugins.get(name) === plugin));
}

/** Whether the part's data outlives its pod. */
export function hasVolume(input: RenderInput, part: EnginePart): boolean {
  return input.hasVolumes && part.dataPath !== undefined;
}

/** Keys of a ConfigMap cannot contain slashes. */
export function fileKeyOf(path: string): string {
  return path.slice(1).replaceAll('/', '__');
}
