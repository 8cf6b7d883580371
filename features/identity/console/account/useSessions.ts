import { useQuery } from '@tanstack/react-query';
import { useInside } from '../../../../console/src/session/context.tsx';
import type { Client } from '../../../../sdk/src/client.ts';
import type { Session } from '../../../../sdk/src/generated/types.ts';

/** Every session of the user, this one first, then the newest. */
async function allSessions(client: Client, signal: AbortSignal): Promise<Session[]> {
  const found: Session[] = [];
  for await (const one of client.sessions.listAll({}, { signal })) found.push(one);
  const begin = ({ createdAt = '' }: Session) => createdAt;
  return found.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || begin(b).localeCompare(begin(a)));
}

export function useSessions() {
  const { client } = useInside();
  return useQuery({ queryKey: ['sessions'], queryFn: ({ signal }) => allSessions(client, signal) });
}
