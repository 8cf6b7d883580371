import { Card } from '../../../../../console/src/ui/Card.tsx';
import { useExplored } from '../../context.tsx';
import { texts } from '../../texts.ts';
import { TransactionTable } from '../TransactionTable.tsx';
import { SearchedBlocks } from './SearchedBlocks.tsx';
import { scanBlocks } from './scan.ts';
import { useSearchBack } from './useSearchBack.ts';

/** The transactions of an account in the blocks that were searched so far. */
export function AccountTransactions({ address }: { address: string }) {
  const { reader } = useExplored();
  const search = useSearchBack(0n, (range) => scanBlocks(reader, address, range));
  return (
    <Card title={texts.columns.transactions}>
      <SearchedBlocks search={search} scope={texts.scanned} more={texts.scanMore}>
        {({ found }) => (
          <TransactionTable
            label={texts.columns.transactions}
            transactions={found}
            empty={texts.scanNone}
            hasBlocks
          />
        )}
      </SearchedBlocks>
    </Card>
  );
}
