import { createHash } from 'node:crypto';
import type { PlanInput } from '../driver.ts';

/** What the operator adds to a plan's input besides the network's own facts, for tests. */
export const planContext: Pick<PlanInput, 'deriveSecret' | 'hostOf'> = {
  deriveSecret: (purpose) => createHash('sha256').update(`test/${purpose}`).digest('hex'),
  hostOf: (part) => `net-${part}-0123456789`,
};
