import { useMemo } from 'react';
import type { HistorySize } from '../history/historyList.ts';
import { type History, useHistory } from '../history/useHistory.ts';
import { type Subject, type Transfer, transfersOfIndex } from './transfers.ts';

/** The transfers of an account or a token. */
export function useTransfers(subject: Subject, size: HistorySize): History<Transfer> {
  const [of, address] =
    'token' in subject ? (['token', subject.token] as const) : (['account', subject.account] as const);
  const { items, ...history } = useHistory(
    `transfers/${of}/${address}`,
    (client, { id, query, signal }) =>
      client.history.listTransfers({ id, address }, { ...query, of }, { signal }),
    size,
  );
  return { ...history, items: useMemo(() => items && transfersOfIndex(items), [items]) };
}
