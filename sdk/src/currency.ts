import { type Currency, currencies } from './generated/currencies.ts';

/** What accounts of an EVM chain pay with, by `spec.chain.type`; ether where the type is newer than this. */
export function currencyOf(type: string): Currency {
  return currencies[type] ?? { name: 'Ether', symbol: 'ETH', decimals: 18 };
}
