/** The code that the address has: a link of the command line fills it in. */
export interface DeviceSearch {
  code?: string;
}

export function deviceSearch({ code }: Record<string, unknown>): DeviceSearch {
  const letters = typeof code === 'string' ? lettersOf(code) : '';
  return letters.length === 8 ? { code: codeText(letters) } : {};
}

/** The letters of a code, however it is written. */
export const lettersOf = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '');

/** As the machine shows it. */
export const codeText = (letters: string): string => `${letters.slice(0, 4)}-${letters.slice(4)}`;
