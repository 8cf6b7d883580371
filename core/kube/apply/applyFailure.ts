import { isAppError } from '../../lib/errors.ts';
import type { KubeObject } from '../kube.ts';

/** Why an object cannot be created until somebody acts. The message is for the status of its owner. */
export interface ApplyFailure {
  reason: 'NameTaken' | 'QuotaExceeded' | 'ChildInvalid';
  message: string;
}

/** What admission says about a ResourceQuota and about a LimitRange (kubernetes, plugin/pkg/admission). */
const overQuota = /exceeded quota|failed quota/;
const outOfRange = /(?:maximum|minimum) /;
const ofRange = / per (?:Container|Pod|PersistentVolumeClaim)/;

/** What a ResourceQuota or LimitRange says about the object that it refused; undefined for other errors. */
export function budgetRefusal(error: unknown): string | undefined {
  if (!isAppError(error, 'Forbidden')) return undefined;
  const starts = [error.message.search(overQuota), rangeAt(error.message)].filter((at) => at !== -1);
  return starts.length === 0 ? undefined : error.message.slice(Math.min(...starts));
}

/** Where a text begins to name a range and what it is of; -1 if it does not. */
function rangeAt(text: string): number {
  const start = text.search(outOfRange);
  return start !== -1 && ofRange.test(text.slice(start)) ? start : -1;
}

/** What the quota of the namespace says about a failed write; undefined for other errors. */
export function quotaFailure({ kind, metadata }: KubeObject, error: unknown): ApplyFailure | undefined {
  const refusal = budgetRefusal(error);
  if (refusal === undefined) return undefined;
  const message =
    `${kind} ${metadata.name} does not fit in the budget of namespace ${metadata.namespace ?? ''} (${refusal}): ` +
    'delete what is not needed there, or ask for a larger budget';
  return { reason: 'QuotaExceeded', message };
}

/** What the cluster says about a new object that it finds invalid; undefined for other errors. */
export function invalidChild({ kind, metadata }: KubeObject, error: unknown): ApplyFailure | undefined {
  if (!isAppError(error, 'BadRequest')) return undefined;
  return {
    reason: 'ChildInvalid',
    message: `the cluster refuses ${kind} ${metadata.name}: ${error.message}`,
  };
}

/** An object of another owner has the name of a child. */
export function nameTaken({ kind, metadata }: KubeObject): ApplyFailure {
  const message =
    `${kind} ${metadata.name} in namespace ${metadata.namespace ?? ''} already exists and belongs to something else: ` +
    'delete or rename it';
  return { reason: 'NameTaken', message };
}
