import { AppError } from '../../../lib/errors.ts';
import type {
  Kube,
  KubeObject,
  ListOptions,
  ListPage,
  ResourceType,
  Stored,
  WatchOptions,
} from '../../kube.ts';
import { parseFieldSelector, parseLabelSelector } from '../../selector.ts';
import { type FakeFaults, requestOf } from './fakeFaults.ts';
import type { FakeStorage } from './fakeStorage.ts';
import type { FakeWatches, Selection } from './fakeWatch.ts';

interface FakeReadsOptions {
  storage: FakeStorage;
  watches: FakeWatches;
  faults: FakeFaults;
}

interface Snapshot {
  /** Whether the list has no selector: only then is the number of remaining objects reported. */
  isWhole: boolean;
  items: Stored<KubeObject>[];
  resourceVersion: string;
}

/** The fake's reads. Pages of a list come from one snapshot, until `expirePages`. */
export function createFakeReads({ storage, watches, faults }: FakeReadsOptions) {
  const snapshots = new Map<string, Snapshot>();
  let nextToken = 0;

  function list(type: ResourceType, options: ListOptions): ListPage<KubeObject> {
    const { isWhole, items, resourceVersion } = options.continueToken
      ? resume(options.continueToken)
      : snapshot(type, options);
    const limit = options.limit || items.length;
    const page = { items: items.slice(0, limit).map((item) => structuredClone(item)), resourceVersion };
    if (items.length <= limit) return page;
    nextToken += 1;
    const rest = items.slice(limit);
    snapshots.set(String(nextToken), { isWhole, items: rest, resourceVersion });
    const count = isWhole ? { remaining: rest.length } : {};
    return { ...page, continueToken: String(nextToken), ...count };
  }

  function resume(token: string): Snapshot {
    const found = snapshots.get(token);
    if (!found) throw new AppError('Conflict', 'the provided continue parameter is too old');
    return found;
  }

  function snapshot(type: ResourceType, options: ListOptions): Snapshot {
    const exact = options.resourceVersionMatch === 'Exact' ? options.resourceVersion : undefined;
    const objects = exact === undefined ? storage.list(type) : storage.listAt(type, Number(exact));
    if (!objects) throw new AppError('Conflict', 'the provided resource version is too old');
    const found = objects.filter(selectionOf(options));
    const items = options.isMetadataOnly
      ? found.map(({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }))
      : found;
    const isWhole = options.labelSelector === undefined && options.fieldSelector === undefined;
    return { isWhole, items, resourceVersion: exact ?? String(storage.version()) };
  }

  async function* watch(type: ResourceType, options: WatchOptions) {
    await faults.run(requestOf('watch', type, options), () => undefined);
    yield* watches.open(type, options, selectionOf(options));
  }

  const kube = {
    get: (type: ResourceType, ref: { namespace?: string; name: string }) =>
      faults.run(requestOf('get', type, ref), () => structuredClone(storage.get(type, ref)?.object)),
    list: (type: ResourceType, options: ListOptions = {}) =>
      faults.run(requestOf('list', type, options), () => list(type, options)),
    watch,
  } as unknown as Pick<Kube, 'get' | 'list' | 'watch'>;
  return { kube, expirePages: () => snapshots.clear() };
}

function selectionOf(options: Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>): Selection {
  const fitsLabels = parseLabelSelector(options.labelSelector);
  const fitsFields = parseFieldSelector(options.fieldSelector);
  const { namespace } = options;
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    fitsLabels(object.metadata.labels) &&
    fitsFields(object);
}
