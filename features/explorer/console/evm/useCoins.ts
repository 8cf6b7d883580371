import { currencyOf } from '../../../../sdk/src/currency.ts';
import { inEther } from '../amounts.ts';
import { useExplored } from '../context.tsx';

/** Amounts in the currency of the chain that the page is about: "1.5 POL". */
export function useCoins(digits = inEther): (amount: bigint) => string {
  const { network } = useExplored();
  const { symbol } = currencyOf(network.spec.chain.type);
  return (amount) => `${digits(amount)} ${symbol}`;
}
