import type { Server } from 'node:net';

/**
 * Connections that may wait to be accepted. When a flood opens more at once than wait, the system drops the others, and their clients
 * try again after one, then two more seconds: among them those who have nothing to do with the flood. The system's own limit is
 * 4,096 as well.
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
