import type { ChainOption, ChainTypeOffer } from '../../../../sdk/src/generated/types.ts';
import { useChainTypes } from '../networks/useChainTypes.ts';
import { texts } from './texts.ts';

/** What this installation says of a choice: why it cannot run it, or what is built first. */
export type Offer = Pick<ChainOption, 'description' | 'missing' | 'wait'>;

/** Asks what this installation can run; where that is not known yet, everything. */
export interface Offers {
  type(type: string): Offer;
  option(type: string, setting: ChainOption['setting'], value: string): Offer;
}

/** What this installation can run. Without an answer, the form offers everything, and the service judges. */
export function useOffers(): Offers {
  return offersIn(useChainTypes()?.items ?? []);
}

function offersIn(items: readonly ChainTypeOffer[]): Offers {
  const find = (type: string) => items.find((item) => item.type === type);
  return {
    type: (type) => find(type) ?? {},
    option: (type, setting, value) =>
      find(type)?.options.find((one) => one.setting === setting && one.value === value) ?? {},
  };
}

/** Options of a select; what this installation cannot run cannot be chosen. */
export function optionsOf(
  values: readonly string[],
  offerOf: (value: string) => Offer,
  labels: Readonly<Record<string, string>> = {},
) {
  return values.map((value) => ({
    value,
    label: labels[value] ?? value,
    isDisabled: offerOf(value).missing !== undefined,
  }));
}

/** A hint, and after it why the choice cannot be run here or what it waits for. */
export function noteOf(hint: string | undefined, { missing, wait }: Offer): string | undefined {
  const more = missing === undefined ? wait && texts.waits(wait) : texts.missing(missing);
  return [hint, more].filter(Boolean).join(' ') || undefined;
}
