import { Card } from '../../../../../console/src/ui/Card.tsx';
import { useFirstBlock } from '../../context.tsx';
import { texts } from '../../texts.ts';
import { SearchedBlocks } from '../search/SearchedBlocks.tsx';
import { Balances } from './Balances.tsx';
import { useTransfers } from './useTransfers.ts';

/** Who holds a token now, of those who gave or got it in the blocks that were searched so far. */
export function Holders({ token }: { token: string }) {
  const first = useFirstBlock();
  const subject = { token };
  const search = useTransfers(subject);
  return (
    <Card title={texts.holders}>
      <SearchedBlocks search={search} scope={texts.holdersIn} more={texts.searchEarlier} first={first}>
        {({ found }) => <Balances subject={subject} transfers={found} />}
      </SearchedBlocks>
    </Card>
  );
}
