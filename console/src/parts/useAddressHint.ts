import { useAddressName } from './useAddressName.ts';

/** What stands below a field whose text is an address with a name: the address itself stays in the field. */
export function useAddressHint(text: string): string | undefined {
  const name = useAddressName()(text.trim());
  // Not among the texts of parts, which the explorer does not load.
  return name === undefined ? undefined : `This is "${name}" in the address book.`;
}
