import { z } from 'zod';
import { networkSpecSchema, networkStatusSchema } from '../../core/api/resources/network.ts';
import { compact } from '../../core/lib/compact.ts';
import { newChainWarning } from '../../core/networks/chainChange.ts';
import type { AdmissionRequest, Verdict } from './review.ts';

const beforeSchema = z.object({ spec: networkSpecSchema, status: networkStatusSchema.optional() });
const afterSchema = z.object({ spec: networkSpecSchema });

/** Warns whoever changes a Network that its running chain ends. Refuses nothing: the schema of the resource does. */
export function reviewNetwork({ operation, object, oldObject }: AdmissionRequest): Verdict {
  const before = beforeSchema.safeParse(oldObject);
  const after = afterSchema.safeParse(object);
  if (operation !== 'UPDATE' || !before.success || !after.success) return { patch: [] };
  const { spec, status } = before.data;
  const warning = newChainWarning({ spec, ...compact({ status }) }, after.data.spec);
  return { patch: [], ...compact({ warning }) };
}
