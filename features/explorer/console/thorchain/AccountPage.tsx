import { Card } from '../../../../console/src/ui/Card.tsx';
import { whole } from '../amounts.ts';
import { useLiveChain } from '../context.tsx';
import styles from '../explorer.module.css';
import { at, listAt, quantityAt, textAt } from '../fields.ts';
import { Loaded } from '../parts/Loaded.tsx';
import { BlockLink, Full, TargetLink } from '../parts/links.tsx';
import { Outcome } from '../parts/Outcome.tsx';
import { Rows } from '../parts/Rows.tsx';
import { Table } from '../parts/Table.tsx';
import type { Answer, Reader } from '../reader.ts';
import { texts } from '../texts.ts';

const shownTransactions = '25';

async function readAccount(reader: Reader, address: string) {
  const search = (event: string) =>
    ['tx_search', `${event}='${address}'`, false, '1', shownTransactions, 'desc'] as const;
  const [balances, account, sent] = await reader.ask([
    [`GET /cosmos/bank/v1beta1/balances/${address}`],
    [`GET /cosmos/auth/v1beta1/accounts/${address}`],
    search('message.sender'),
  ]);
  if (balances?.error) throw new Error(balances.error.message);
  return { balances, account, sent };
}

export function AccountPage({ address }: { address: string }) {
  const result = useLiveChain(['account', address], (reader) => readAccount(reader, address));
  return (
    <Loaded of={result}>
      {({ balances, account, sent }) => (
        <div className={styles.stack}>
          <Facts address={address} balances={balances} account={account} />
          <Sent answer={sent} />
        </div>
      )}
    </Loaded>
  );
}

interface FactsProps {
  address: string;
  balances: Answer | undefined;
  account: Answer | undefined;
}

function Facts({ address, balances, account }: FactsProps) {
  const sequence = quantityAt(account, 'result', 'account', 'sequence');
  const amounts = listAt(balances, 'result', 'balances').map(
    (one) => `${whole(quantityAt(one, 'amount') ?? 0n)} ${textAt(one, 'denom') ?? ''}`,
  );
  return (
    <Card title={texts.account}>
      <Rows
        rows={[
          [texts.address, <Full key="address" value={address} label={texts.address} />],
          [texts.status, account?.error ? texts.absent : undefined],
          [texts.balances, amounts.length > 0 ? amounts.join(', ') : texts.noBalances],
          [texts.nonce, sequence === undefined ? undefined : whole(sequence)],
        ]}
      />
    </Card>
  );
}

function Sent({ answer }: { answer: Answer | undefined }) {
  return (
    <Card title={texts.recent}>
      <Table
        label={texts.recent}
        columns={[texts.columns.hash, texts.columns.height, texts.columns.result]}
        rows={listAt(answer, 'result', 'txs').map((one) => {
          const hash = textAt(one, 'hash') ?? '';
          return {
            key: hash,
            cells: [
              <TargetLink key="tx" kind="tx" value={hash} />,
              <BlockLink key="height" number={quantityAt(one, 'height') ?? 0n} />,
              <Outcome key="outcome" isSuccess={(quantityAt(at(one, 'tx_result'), 'code') ?? 0n) === 0n} />,
            ],
          };
        })}
        empty={texts.scanNone}
      />
    </Card>
  );
}
