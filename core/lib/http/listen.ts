import type { Server } from 'node:net';

/**
 * Connections that may wait to be accepted. When a flood opens more at once, the system drops the rest, also those of other
 * clients, which try again only after one and then two more seconds. The system's own limit is 4,096 as well.
 */
const backlog = 4096;

/** Resolves when the server listens; rejects if it cannot bind to the port. */
export function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
