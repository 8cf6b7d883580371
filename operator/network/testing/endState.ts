import { labels } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { appliedHashAnnotation } from '../../../core/kube/apply/syncChildren.ts';
import type { KubeObject } from '../../../core/kube/kube.ts';
import { shortHashOf } from '../../../core/lib/hash.ts';
import type { NetworkCaches } from '../reconcile.ts';

/** Files of a chain say more than a failed comparison needs to show. */
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
  'ownerReferences',
  // Given by kube-apiserver.
  'clusterIP',
  'clusterIPs',
];

export interface EndState {
  status: unknown;
  children: { isEnding?: unknown }[];
}

/**
 * All that there is of a network, in words that are the same for two networks with the same life: without uids, times
 * and what is made of them.
 */
export function endStateOf(caches: NetworkCaches, namespace: string, uid: string): EndState {
  const [network] = caches.networks.byIndex('uid', uid);
  const children: KubeObject[] = [
    ...caches.pods.byIndex('network', uid),
    ...caches.services.byIndex('network', uid),
    ...caches.configMaps.byIndex('network', uid),
    ...caches.volumeClaims.byIndex('network', uid),
  ];
  const lives = children.map(({ metadata }) => metadata.labels?.[labels.incarnation] ?? '');
  const words: [string, string][] = [...new Set(lives)].map((life, i) => [life, `life-${i}`]);
  const own: [string, string][] = [[uid, 'uid'], [namespace, 'namespace'], ...genesisWords(network)];
  const plain = (object: KubeObject) => plainOf(object, [...own, ...words.filter(([life]) => life !== '')]);
  return {
    status: network ? plain(network).status : 'gone',
    children: children.map(plain).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

/** The time of a genesis as the files of a chain have it. */
function genesisWords(network: NetworkResource | undefined): [string, string][] {
  const at = Date.parse(network?.status?.genesis?.at ?? '') / 1_000;
  if (Number.isNaN(at)) return [];
  return [String(at), `0x${at.toString(16)}`].map((text) => [text, 'genesis']);
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
    name: String(name).replace(hashOfUid, ''),
    marks,
    isEnding: deletionTimestamp !== undefined,
    ...rest,
  };
}
