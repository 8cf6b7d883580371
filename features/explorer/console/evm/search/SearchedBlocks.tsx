import type { ReactNode } from 'react';
import { Failure } from '../../../../../console/src/ui/Banner.tsx';
import { Button } from '../../../../../console/src/ui/Button.tsx';
import { texts as uiTexts } from '../../../../../console/src/ui/texts.ts';
import { whole } from '../../amounts.ts';
import styles from '../../explorer.module.css';
import { texts } from '../../texts.ts';
import type { Searched } from './searched.ts';
import type { SearchBack } from './useSearchBack.ts';

interface SearchedBlocksProps<T> {
  search: SearchBack<T>;
  /** Which blocks it is about, in words. */
  scope: (from: string, to: string) => string;
  /** What the button does that searches earlier blocks. */
  more: string;
  /** The first block that can be searched. */
  first?: bigint;
  children: (searched: Searched<T>) => ReactNode;
}

/** What was found so far, in which blocks, and how to search further. */
export function SearchedBlocks<T>({ search, scope, more, first = 0n, children }: SearchedBlocksProps<T>) {
  const { searched, isSearching, error } = search;
  const button = (text: string) => (
    <Button isSmall isBusy={isSearching} onClick={search.more}>
      {text}
    </Button>
  );
  return (
    <>
      {error !== undefined && <Failure error={error} title={texts.failed} />}
      {searched && children(searched)}
      <div className={styles.note}>
        {error !== undefined && button(uiTexts.retry)}
        {searched && (
          <p>{searched.to < first ? texts.noOwnBlocks : scope(whole(searched.from), whole(searched.to))}</p>
        )}
        <p>{texts.scanHint}</p>
        {error === undefined && searched && searched.from > first && button(more)}
      </div>
    </>
  );
}
