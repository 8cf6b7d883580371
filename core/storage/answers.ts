import { type DefaultWorkspace, namespaceOf } from '../accounts/ids.ts';
import { labels } from '../api/names.ts';
import { idempotencyRecordType } from '../api/resources/resources.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../kube/cache/reflector.ts';
import type { KubeObject, ResourceType, Stored } from '../kube/kube.ts';
import { storedBytes } from './kinds.ts';

/**
 * How many bytes the answers of requests with an Idempotency-Key take, by namespace of the workspace that asked. They are in the
 * service's namespace, where the operator may not read them: the answers to whoever creates an API key are among them.
 */
export interface StoredAnswers extends Pick<Reflector<KubeObject>, 'start' | 'whenSynced' | 'stop'> {
  in(namespace: string): number;
  namespaces(): Iterable<string>;
}

interface Options extends Pick<ReflectorOptions<never>, 'kube' | 'clock' | 'log' | 'kubeMetrics'> {
  /** That of the service. */
  namespace: string;
  defaultWorkspace: DefaultWorkspace;
}

/** What is kept of a record. */
type Sized = KubeObject & { bytes: number };

/** Records in one page of a list: each may have 900 kB. */
const pageSize = 20;

/** Not started yet. */
export function createStoredAnswers({ defaultWorkspace, ...options }: Options): StoredAnswers {
  const sums = new Map<string, number>();
  const sizes = new Map<string, number>();
  const cache = createReflector<Sized>({
    ...options,
    pageSize,
    labelSelector: labels.workspace,
    trim: sizeOf,
    type: idempotencyRecordType as ResourceType<KubeObject> as ResourceType<Sized>,
  });
  cache.onChange(({ type, object: { metadata, bytes } }) => {
    const namespace = namespaceOf(metadata.labels?.[labels.workspace] ?? '', defaultWorkspace);
    const before = sizes.get(metadata.uid) ?? 0;
    const after = type === 'set' ? bytes : 0;
    if (type === 'set') sizes.set(metadata.uid, after);
    else sizes.delete(metadata.uid);
    const sum = (sums.get(namespace) ?? 0) + after - before;
    if (sum > 0) sums.set(namespace, sum);
    else sums.delete(namespace);
  });
  return { ...cache, in: (namespace) => sums.get(namespace) ?? 0, namespaces: () => sums.keys() };
}

function sizeOf(object: Stored<KubeObject>): Stored<Sized> {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace = '', uid, resourceVersion, creationTimestamp, labels: given } = metadata;
  const workspace = given?.[labels.workspace] ?? '';
  return {
    apiVersion,
    kind,
    bytes: storedBytes(object),
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      creationTimestamp,
      labels: { [labels.workspace]: workspace },
    },
  };
}
