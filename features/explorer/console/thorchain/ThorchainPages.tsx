import type { OnChain } from '../../../../console/src/feature.ts';
import { AccountPage } from './AccountPage.tsx';
import { CosmosTransactionPage } from './CosmosTransactionPage.tsx';
import { HeightPage } from './HeightPage.tsx';
import { Heights } from './Heights.tsx';

/** The pages of a Thorchain network. */
export function ThorchainPages({ target }: { target: OnChain | undefined }) {
  if (target?.kind === 'block') return <HeightPage height={target.value} />;
  if (target?.kind === 'tx')
    return <CosmosTransactionPage hash={target.value.replace(/^0x/, '').toUpperCase()} />;
  if (target?.kind === 'address') return <AccountPage address={target.value} />;
  return <Heights />;
}
