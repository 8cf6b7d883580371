import type { BrowserSessions } from '../../../../console/src/session/session.ts';

/** The cookie of this browser, which no page can read. */
export const sessions: BrowserSessions = {
  open: (client, apiKey) => client.sessions.create({ apiKey }),
  end: (client, id) => client.sessions.delete(id),
};
