import type { OnChain } from '../../../../console/src/feature.ts';
import { part } from '../../../../console/src/loading/part.tsx';
import { BlockPage } from './BlockPage.tsx';
import { Home } from './Home.tsx';
import { TransactionPage } from './TransactionPage.tsx';

const AddressPage = part(() => import('./address/AddressPage.tsx').then((file) => file.AddressPage));

/** The pages of an EVM chain. */
export function EvmPages({ target }: { target: OnChain | undefined }) {
  if (target?.kind === 'block') return <BlockPage value={target.value} />;
  if (target?.kind === 'tx') return <TransactionPage hash={target.value} />;
  if (target?.kind === 'address') return <AddressPage address={target.value} />;
  return <Home />;
}
