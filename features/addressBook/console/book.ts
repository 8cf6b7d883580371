import type { AddressName, AddressNameSpec } from '../../../sdk/src/generated/types.ts';

/** What the form has. */
export interface AddressForm {
  address: string;
  name: string;
  note: string;
}

export function toSpec({ name, note }: AddressForm): AddressNameSpec {
  const text = note.trim();
  return { name: name.trim(), ...(text === '' ? {} : { note: text }) };
}

/** Those whose name, address or note has a text, whatever its case. */
export function matching(entries: readonly AddressName[], text: string): AddressName[] {
  const query = text.trim().toLowerCase();
  return entries.filter(({ address, name, note = '' }) =>
    [name, address, note].some((one) => one.toLowerCase().includes(query)),
  );
}
