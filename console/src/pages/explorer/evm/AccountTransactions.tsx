import { useEffect, useState } from 'react';
import { Failure } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { texts as uiTexts } from '../../../ui/texts.ts';
import { whole } from '../amounts.ts';
import { useExplored } from '../context.tsx';
import styles from '../explorer.module.css';
import { Card } from '../parts/Rows.tsx';
import { texts } from '../texts.ts';
import { type Scan, scanBlocks } from './scan.ts';
import { TransactionTable } from './TransactionTable.tsx';

interface Searched extends Scan {
  to: bigint;
}

/** The transactions of an account in the blocks that were searched so far. */
export function AccountTransactions({ address }: { address: string }) {
  const { reader, head } = useExplored();
  const [searched, setSearched] = useState<Searched>();
  const [isSearching, setSearching] = useState(false);
  const [error, setError] = useState<unknown>();
  const newest = head?.number;
  const search = async (to: bigint) => {
    setSearching(true);
    try {
      const { found, from, skipped } = await scanBlocks(reader, address, to);
      setError(undefined);
      setSearched((now) => ({
        from,
        to: now?.to ?? to,
        skipped: (now?.skipped ?? 0) + skipped,
        found: [...(now?.found ?? []), ...found],
      }));
    } catch (problem) {
      setError(problem);
    } finally {
      setSearching(false);
    }
  };
  const isDue = newest !== undefined && !searched && !isSearching && error === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first search begins when the newest block is known.
  useEffect(() => {
    if (isDue) void search(BigInt(newest));
  }, [isDue]);
  return (
    <Card title={texts.columns.transactions}>
      {error !== undefined && <Failure error={error} title={texts.failed} />}
      {error !== undefined && !searched && newest !== undefined && (
        <div className={styles.note}>
          <Button isSmall icon="refresh" isBusy={isSearching} onClick={() => void search(BigInt(newest))}>
            {uiTexts.retry}
          </Button>
        </div>
      )}
      {searched && (
        <TransactionTable
          label={texts.columns.transactions}
          transactions={searched.found}
          empty={texts.scanNone}
          extra="block"
        />
      )}
      <div className={styles.note}>
        {searched && <p>{texts.scanned(whole(searched.from), whole(searched.to))}</p>}
        {searched && searched.skipped > 0 && <p>{texts.scanSkipped(searched.skipped)}</p>}
        <p>{texts.scanHint}</p>
        {searched && searched.from > 0n && (
          <Button isSmall isBusy={isSearching} onClick={() => void search(searched.from - 1n)}>
            {texts.scanMore}
          </Button>
        )}
      </div>
    </Card>
  );
}
