import { emptyForm, keyFor, type NetworkForm, newKeyName } from '../create/form.ts';

/** The chains that one click starts: they need no settings. */
export const starters = ['Ethereum', 'Base', 'Arbitrum', 'Solana'] as const;
export type Starter = (typeof starters)[number];

/** A form with a name that nobody has, and the name of the key to create along. */
export function starterForm(type: Starter): { form: NetworkForm; newKey: string | undefined } {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const name = `${type.toLowerCase()}-${random.toString(36).slice(-4).padStart(4, '0')}`;
  const key = keyFor(type);
  return {
    form: { ...emptyForm, type, name, key },
    newKey: key.mode === 'new' ? newKeyName(name) : undefined,
  };
}
