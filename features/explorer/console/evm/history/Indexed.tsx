import type { ReactNode } from 'react';
import { Failure } from '../../../../../console/src/ui/Banner.tsx';
import { Button } from '../../../../../console/src/ui/Button.tsx';
import { texts as uiTexts } from '../../../../../console/src/ui/texts.ts';
import type { Covered } from '../../../api/history.ts';
import { notSearched } from '../../../api/notSearched.ts';
import { whole } from '../../amounts.ts';
import styles from '../../explorer.module.css';
import { texts } from '../../texts.ts';
import type { History } from './useHistory.ts';

interface IndexedProps<T> {
  history: History<T>;
  /** Which blocks it is about, in words. */
  scope: (from: string, to: string) => string;
  children: (items: readonly T[]) => ReactNode;
}

/** What the index of the chain found, in which blocks, and how to read on. */
export function Indexed<T>({ history, scope, children }: IndexedProps<T>) {
  const { items, covered, error, isSearching, more } = history;
  return (
    <>
      {error !== undefined && <Failure error={error} title={texts.failed} />}
      {items && children(items)}
      <div className={styles.note}>
        {covered && <p>{noteOf(covered, scope)}</p>}
        {covered && notSearched(covered, !more).map((sentence) => <p key={sentence}>{sentence}</p>)}
        {more && (
          <Button isSmall isBusy={isSearching} onClick={more}>
            {error === undefined ? texts.showMore : uiTexts.retry}
          </Button>
        )}
      </div>
    </>
  );
}

function noteOf({ from, to, first }: Covered, scope: IndexedProps<unknown>['scope']): string {
  if (BigInt(to) < BigInt(first)) return texts.noOwnBlocks;
  return BigInt(from) > BigInt(to) ? '' : scope(whole(BigInt(from)), whole(BigInt(to)));
}
