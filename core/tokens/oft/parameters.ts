import type { ArgIssue } from '../definition.ts';

const knownKeys = ['lz_fee'];
/** An amount of the native currency: wei, or with a decimal point units of the currency. */
export const feePattern = /^(0|[1-9][0-9]{0,77})(\.[0-9]{1,18})?$/;

/** What is wrong with adapter_parameters; it tolerates values of other types. */
export function parameterIssues({ adapter_parameters: given }: Record<string, unknown>): ArgIssue[] {
  if (typeof given !== 'object' || given === null) return [];
  const unknown = Object.keys(given).filter((key) => !knownKeys.includes(key));
  const issues = unknown.map((key) => ({
    member: `adapter_parameters.${key}`,
    message: `unknown parameter: the known ones are ${knownKeys.join(', ')}`,
  }));
  const { lz_fee: fee } = given as Record<string, unknown>;
  if (fee === undefined || (typeof fee === 'string' && feePattern.test(fee))) return issues;
  const message = 'use text: wei as a decimal number, or units of the native currency with a decimal point';
  return [...issues, { member: 'adapter_parameters.lz_fee', message }];
}
