import { useMemo } from 'react';
import { type History, useHistory } from '../history/useHistory.ts';
import { type Subject, type Transfer, transfersOfIndex } from './transfers.ts';

/** Transfers that are read for the holders of a token: nobody sees from a part of them who has most. */
const holderPages = 10;

/** The transfers of an account or a token. */
export function useTransfers(subject: Subject, isForHolders = false): History<Transfer> {
  const [of, address] =
    'token' in subject ? (['token', subject.token] as const) : (['account', subject.account] as const);
  const { items, ...history } = useHistory(
    ['transfers', of, address, isForHolders],
    (client, { id, query, signal }) =>
      client.history.listTransfers({ id, address }, { ...query, of }, { signal }),
    isForHolders ? { limit: 500, pages: holderPages } : { limit: 50, pages: 1 },
  );
  return { ...history, items: useMemo(() => items && transfersOfIndex(items), [items]) };
}
