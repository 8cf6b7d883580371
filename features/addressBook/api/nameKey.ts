/** What two names of a book must not have in common: letters in another case, or of another form, are the same name. */
export const nameKey = (name: string): string => name.trim().normalize('NFKC').toLowerCase();

/** The addresses that have a name. Several if kubectl gave it to them: REST does not. */
export function addressesNamed(
  entries: readonly { address: string; name: string }[],
  given: string,
): string[] {
  const wanted = nameKey(given);
  return entries.filter(({ name }) => nameKey(name) === wanted).map(({ address }) => address);
}
