import { hourMs, type Swept } from '../../../apiserver/sweeps.ts';
import { sessionType } from '../api/resources/session.ts';
import { signInTicketType } from '../api/resources/ticket.ts';

/** They end before: what is deleted is not valid any more. */
export const sweptSessions = (namespace: string): Swept => ({
  type: sessionType,
  what: 'sessions',
  where: { namespace },
});

/** They do not count for as long. */
export const sweptTickets = (namespace: string): Swept => ({
  type: signInTicketType,
  lifetimeMs: hourMs,
  what: 'sign-in tickets',
  where: { namespace },
});
