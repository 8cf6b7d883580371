/** What two names of a book must not have in common: letters in another case, or of another form, are the same name. */
export const nameKey = (name: string): string => name.trim().normalize('NFKC').toLowerCase();
