import type { Kube, KubeObject, ResourceType, Stored } from '../kube/kube.ts';
import { type BoundedMap, createBoundedMap } from '../lib/boundedMap.ts';
import { isAppError } from '../lib/errors.ts';
import type { Taken } from './additions.ts';
import { addedBytes, countedAs, storedBytes } from './kinds.ts';
import type { StorageLedger } from './ledger.ts';

type Writes = Pick<Kube, 'get' | 'create' | 'replace' | 'serverTimeMs'>;

export interface BudgetedOptions {
  ledger: Pick<StorageLedger, 'take' | 'refusal'>;
  /** Which objects are refused when there is no room for them; the others are counted by the operator alone. */
  isRefused(type: ResourceType, object: KubeObject): boolean;
}

/** Objects whose sizes are remembered, so that a change counts as what it adds. */
const maxKnown = 10_000;

/**
 * The same cluster within storage budgets: creating or enlarging an object rejects with TooManyRequests when a budget is used
 * up. Writes that make it smaller pass, and so does every deletion.
 */
export function budgetedKube<K extends Writes>(kube: K, { ledger, isRefused }: BudgetedOptions): K {
  const known = createBoundedMap<string, number>(maxKnown);
  return {
    ...kube,
    async create(type, object) {
      if (!isRefused(type, object)) return kube.create(type, object);
      const { namespace = '' } = object.metadata;
      const bytes = storedBytes(object) + addedBytes;
      const taken = ledger.take({ namespace, bytes, ...countedAs(type) });
      const stored = await write(kube, taken, kube.create(type, object));
      known.set(stored.metadata.uid, bytes);
      return stored;
    },
    async replace(type, object, subresource) {
      if (subresource || !isRefused(type, object)) return kube.replace(type, object, subresource);
      const { namespace = '' } = object.metadata;
      const bytes = storedBytes(object);
      const before = await sizeBefore({ kube, ledger, known }, type, { object, bytes });
      const more = { namespace, bytes: Math.max(0, bytes - before), ...countedAs(type) };
      const taken = ledger.take(more);
      const stored = await write(kube, taken, kube.replace(type, object));
      known.set(stored.metadata.uid, bytes);
      return stored;
    },
  };
}

async function write<T extends KubeObject>(
  kube: Pick<Kube, 'serverTimeMs'>,
  taken: Taken,
  sent: Promise<Stored<T>>,
): Promise<Stored<T>> {
  try {
    const stored = await sent;
    taken.stored(await kube.serverTimeMs());
    return stored;
  } catch (error) {
    // Whether it was stored after all is decided by the operator's next count.
    if (isAppError(error, 'Unavailable')) taken.stored(await kube.serverTimeMs().catch(() => 0));
    else taken.giveBack();
    throw error;
  }
}

interface Sizes extends Pick<BudgetedOptions, 'ledger'> {
  kube: Pick<Kube, 'get'>;
  known: BoundedMap<string, number>;
}

/** Its size is requested only when there may be no room. Otherwise the whole object counts the first time. */
async function sizeBefore<T extends KubeObject>(
  { kube, ledger, known }: Sizes,
  type: ResourceType<T>,
  { object, bytes }: { object: T; bytes: number },
): Promise<number> {
  const { namespace = '', uid = '' } = object.metadata;
  const before = known.get(uid);
  if (before !== undefined) return before;
  if (!ledger.refusal({ namespace, bytes, ...countedAs(type) })) return 0;
  const present = await kube.get(type, object.metadata);
  return present ? storedBytes(present) : 0;
}
