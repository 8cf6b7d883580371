import { z } from 'zod';
import { networkSpecSchema } from '../core/api/resources/network.ts';
import { networkStatusSchema } from '../core/api/resources/networkStatus.ts';
import { compact } from '../core/lib/compact.ts';
import { parseUntilError } from '../core/lib/parseUntilError.ts';
import { changeWarning, creationWarning } from '../core/networks/chainChange.ts';
import type { AdmissionRequest, Verdict } from './review.ts';

const beforeSchema = z.object({ spec: networkSpecSchema, status: networkStatusSchema.optional() });
const afterSchema = z.object({ spec: networkSpecSchema });

/** Warns whoever changes a Network of what ends with it or has no effect. Refuses nothing: the schema of the resource does. */
export function reviewNetwork({ operation, object, oldObject }: AdmissionRequest): Verdict {
  const after = parseUntilError(afterSchema, object);
  if (!after.success) return { patch: [] };
  const next = after.data.spec;
  if (operation === 'CREATE') return { patch: [], ...compact({ warning: creationWarning(next) }) };
  const before = parseUntilError(beforeSchema, oldObject);
  if (operation !== 'UPDATE' || !before.success) return { patch: [] };
  const { spec, status } = before.data;
  const warning = changeWarning({ spec, ...compact({ status }) }, next);
  return { patch: [], ...compact({ warning }) };
}
