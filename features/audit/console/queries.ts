import { useInfiniteQuery } from '@tanstack/react-query';
import { useInside } from '../../../console/src/session/context.tsx';

const pageSize = 50;

/** What is asked for; an empty text asks for everything. */
export interface AuditFilter {
  actor: string;
  action: string;
  outcome: string;
}

/** The entries page by page, the newest first: read when the page opens, and when somebody asks for it. */
export function useAudit(filter: AuditFilter) {
  const { client, me } = useInside();
  const id = me.workspace?.id ?? '';
  const wanted = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  return useInfiniteQuery({
    queryKey: ['audit', id, wanted],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      client.workspaces.listAudit(
        id,
        { limit: pageSize, ...wanted, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ metadata }) => metadata.cursor,
  });
}
