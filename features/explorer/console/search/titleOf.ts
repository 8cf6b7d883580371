import type { OnChain } from '../../../../console/src/feature.ts';
import { short } from '../amounts.ts';
import { texts } from '../texts.ts';
import type { Family } from './targets.ts';

/** What the tab with a page of the explorer is called. `nameOf` has the names that the workspace gave addresses. */
export function titleOf(
  { kind, value }: OnChain,
  family: Family,
  nameOf: (address: string) => string | undefined,
): string {
  if (kind === 'address') return nameOf(value) ?? texts.addressOf(short(value, 4));
  if (kind === 'tx') return texts.transactionOf(short(value));
  return (family === 'solana' ? texts.slotOf : texts.blockOf)(short(value));
}
