import { Card } from '../../../../../console/src/ui/Card.tsx';
import { texts } from '../../texts.ts';
import { Indexed } from '../history/Indexed.tsx';
import { Balances } from './Balances.tsx';
import { useTransfers } from './useTransfers.ts';

/** Nobody sees from a part of the transfers who has most. */
const manyTransfers = { limit: 500, pages: 10 };

/** Who holds a token now, of those who gave or got it. */
export function Holders({ token }: { token: string }) {
  const subject = { token };
  const history = useTransfers(subject, manyTransfers);
  return (
    <Card title={texts.holders}>
      <Indexed history={history} scope={texts.holdersIn}>
        {(transfers) => <Balances subject={subject} transfers={transfers} />}
      </Indexed>
    </Card>
  );
}
