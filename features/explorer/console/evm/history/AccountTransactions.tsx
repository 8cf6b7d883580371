import { Card } from '../../../../../console/src/ui/Card.tsx';
import type { AccountTransaction } from '../../../../../sdk/src/generated/types.ts';
import { texts } from '../../texts.ts';
import { TransactionTable } from '../TransactionTable.tsx';
import { Indexed } from './Indexed.tsx';
import { InnerCalls } from './InnerCalls.tsx';
import { useHistory } from './useHistory.ts';

/** The transactions of an account, with the calls within them that are its own. */
export function AccountTransactions({ address }: { address: string }) {
  const history = useHistory(
    `transactions/${address}`,
    (client, { id, query, signal }) => client.history.listTransactions({ id, address }, query, { signal }),
    { limit: 50, pages: 1 },
  );
  return (
    <Card title={texts.columns.transactions}>
      <Indexed history={history} scope={texts.transactionsIn}>
        {(items) => (
          <TransactionTable
            label={texts.columns.transactions}
            transactions={items.map(rowOf)}
            empty={texts.scanNone}
            hasBlocks
          />
        )}
      </Indexed>
    </Card>
  );
}

function rowOf({ hash, block, time, from, to, value, method = '0x', status, inner }: AccountTransaction) {
  return {
    transaction: { hash, from, to, value: BigInt(value), input: method, blockNumber: BigInt(block) },
    at: Date.parse(time) / 1000,
    isSuccess: status === 'success',
    more: inner.length > 0 && <InnerCalls calls={inner} />,
  };
}
