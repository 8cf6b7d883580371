import { endAfter } from '../../../console/src/forms/expiry.ts';
import type { RpcKeyCreate } from '../../../sdk/src/generated/types.ts';

/** What the form has. */
export interface KeyForm {
  name: string;
  /** How long it is valid; 0 without an end. */
  hours: number;
  /** Separated by commas. */
  methods: string;
}

export const emptyKeyForm: KeyForm = { name: '', hours: 2160, methods: '' };

export function toKeyBody({ name, hours, methods: text }: KeyForm, nowMs: number): RpcKeyCreate {
  const expiresAt = endAfter(hours, nowMs);
  const methods = text
    .split(',')
    .map((method) => method.trim())
    .filter((method) => method !== '');
  return {
    name: name.trim(),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(methods.length === 0 ? {} : { methods }),
  };
}
