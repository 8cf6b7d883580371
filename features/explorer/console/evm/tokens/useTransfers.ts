import { useExplored, useFirstBlock } from '../../context.tsx';
import { type SearchBack, useSearchBack } from '../search/useSearchBack.ts';
import { type Subject, searchTransfers, type Transfer } from './transfers.ts';

/** The transfers of an account or a token, searched back from the newest block. */
export function useTransfers(subject: Subject): SearchBack<Transfer> {
  const { reader } = useExplored();
  return useSearchBack(useFirstBlock(), (range) => searchTransfers(reader, subject, range));
}
