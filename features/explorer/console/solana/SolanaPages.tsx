import type { OnChain } from '../../../../console/src/feature.ts';
import { AccountPage } from './AccountPage.tsx';
import { SlotPage } from './SlotPage.tsx';
import { Slots } from './Slots.tsx';
import { SolanaTransactionPage } from './SolanaTransactionPage.tsx';

/** The pages of a Solana chain. */
export function SolanaPages({ target }: { target: OnChain | undefined }) {
  if (target?.kind === 'block') return <SlotPage slot={BigInt(target.value)} />;
  if (target?.kind === 'tx') return <SolanaTransactionPage signature={target.value} />;
  if (target?.kind === 'address') return <AccountPage address={target.value} />;
  return <Slots />;
}
