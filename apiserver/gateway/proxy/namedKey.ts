import { AppError } from '../../../core/lib/errors.ts';
import type { NamedKey } from '../deps.ts';
import type { ServicePolicy } from '../policy/policy.ts';

/** Why a key opens nothing any more, with the remedy; undefined while it does. */
export function endOf({ name, isRevoked, expiresAtMs }: NamedKey, nowMs: number): AppError | undefined {
  const remedy = 'use the URL of another key of the network';
  if (isRevoked) return new AppError('Unauthorized', `the key "${name}" was revoked: ${remedy}`);
  if (expiresAtMs === undefined || nowMs < expiresAtMs) return undefined;
  const at = new Date(expiresAtMs).toISOString();
  return new AppError('Unauthorized', `the key "${name}" expired at ${at}: ${remedy}`);
}

/** What a service offers to a key. One with a list of methods opens only services that are called by methods. */
export function policyFor(policy: ServicePolicy, { name, methods }: NamedKey): ServicePolicy | undefined {
  if (methods === undefined) return policy;
  if (policy.kind !== 'jsonRpc') return undefined;
  const isListed = (method: string) => methods.some((one) => covers(one, method));
  return {
    ...policy,
    methodAccess: (method, text) => (isListed(method) ? policy.methodAccess(method, text) : 'never'),
    refusalReason: (method, text) =>
      isListed(method)
        ? policy.refusalReason?.(method, text)
        : `the key "${name}" may only call ${some(methods)}; use another key of the network`,
  };
}

const shownMethods = 5;

/** The beginning of a list: each call of a batch may be refused with it. */
function some(methods: readonly string[]): string {
  const rest = methods.length - shownMethods;
  const shown = methods.slice(0, shownMethods).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** Whether an entry of a list stands for a method. */
function covers(entry: string, method: string): boolean {
  return entry.endsWith('*') ? method.startsWith(entry.slice(0, -1)) : entry === method;
}
