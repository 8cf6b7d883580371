import type { BudgetName } from '../core/api/budgets.ts';
import type { NamespacedObject } from '../core/api/resources/kubeObject.ts';
import type { ObjectCache } from './store/cache.ts';

/** How many objects of a kind a workspace may have. */
export interface CountedBudget {
  name: BudgetName;
  /** As its resource is called in a ResourceQuota. */
  plural: string;
  kind: { cache: Pick<ObjectCache<NamespacedObject>, 'inNamespace'> };
  max: number;
}
