import { labels } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { appliedHashAnnotation } from '../../../core/kube/apply/syncChildren.ts';
import type { KubeObject } from '../../../core/kube/kube.ts';
import { shortHashOf } from '../../../core/lib/hash.ts';
import type { NetworkCaches } from '../deps.ts';

/** Longer texts, such as files, are hashed to keep failed comparisons readable. */
const longest = 1_000;
const hashOfUid = /-[0-9a-f]{8,}$/;
const hashOfContent = /-(fork|keys)-[0-9a-f]{10}/g;
const accessKey = /(?<=\/rpc\/uid)\/[\w-]{24}\//g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const ownOfEach = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'enclaveID',
  'instance',
  'adjusted',
  'ownerReferences',
  // Assigned by kube-apiserver.
  'clusterIP',
  'clusterIPs',
];

export interface EndState {
  status: unknown;
  children: { isEnding?: unknown }[];
}

/**
 * The status and children of a network in a normalized form that is equal for networks with the same history: without
 * uids, times and values derived from them.
 */
export function endStateOf(caches: NetworkCaches, namespace: string, uid: string): EndState {
  const [network] = caches.networks.byIndex('uid', uid);
  const volumes = caches.volumeClaims.byIndex('network', uid);
  const children: KubeObject[] = [
    ...caches.pods.byIndex('network', uid),
    ...caches.services.byIndex('network', uid),
    ...caches.configMaps.byIndex('network', uid),
    ...volumes,
  ];
  const incarnations = children.map(({ metadata }) => metadata.labels?.[labels.incarnation] ?? '');
  const words: [string, string][] = [...new Set(incarnations)].map((incarnation, i) => [
    incarnation,
    `incarnation-${i}`,
  ]);
  const own: [string, string][] = [
    [uid, 'uid'],
    [namespace, 'namespace'],
    ...genesisWords(network),
    ...fromWords(network),
    ...dataWords(network),
    ...volumes.map(({ metadata }): [string, string] => [metadata.uid, `uid of ${plainName(metadata)}`]),
  ];
  const plain = (object: KubeObject) =>
    plainOf(object, [...own, ...words.filter(([incarnation]) => incarnation !== '')]);
  return {
    status: network ? plain(network).status : 'gone',
    children: children.map(plain).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

const plainName = ({ name }: { name: string }) => name.replace(hashOfUid, '');

/** The genesis time in the formats that a chain's files use. */
function genesisWords(network: NetworkResource | undefined): [string, string][] {
  const at = Date.parse(network?.status?.genesis?.at ?? '') / 1_000;
  if (Number.isNaN(at)) return [];
  return [String(at), `0x${at.toString(16)}`].map((text) => [text, 'genesis']);
}

/** The id of the snapshot that the chain began from. */
function fromWords(network: NetworkResource | undefined): [string, string][] {
  const { id } = network?.status?.from ?? {};
  return id === undefined ? [] : [[id, 'snapshot-id']];
}

/** The id of the pods and processes that have the data. */
function dataWords(network: NetworkResource | undefined): [string, string][] {
  const { data } = network?.status?.incarnation ?? {};
  return data === undefined ? [] : [[data, 'data-id']];
}

function plainOf(object: KubeObject, words: [string, string][]): { [member: string]: unknown } {
  const replace = (long: string) => words.reduce((former, [word, by]) => former.replaceAll(word, by), long);
  const text = JSON.stringify(object, (key, value) => {
    if (ownOfEach.includes(key) || key === appliedHashAnnotation) return undefined;
    return typeof value === 'string' && value.length > longest ? shortHashOf(replace(value)) : value;
  });
  const replaced = replace(text);
  const { metadata, ...rest } = JSON.parse(
    replaced.replace(time, 'time').replace(accessKey, '/key/').replace(hashOfContent, '-$1'),
  );
  const { name, labels: marks, deletionTimestamp } = metadata;
  return {
    kind: object.kind,
    name: plainName({ name: String(name) }),
    marks,
    isEnding: deletionTimestamp !== undefined,
    ...rest,
  };
}
