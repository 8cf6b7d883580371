import { createServer } from 'node:net';
import { UserError } from '../../lib/run.ts';
import { API_PORT, NODE_ADDRESS } from './layout.ts';

/** The addresses that the node's processes listen on. */
const occupied: [address: string, port: number][] = [
  [NODE_ADDRESS, API_PORT],
  [NODE_ADDRESS, 10250],
  ['127.0.0.1', 2379],
  ['127.0.0.1', 2380],
  ['127.0.0.1', 10248],
  ['127.0.0.1', 10249],
  ['127.0.0.1', 10256],
  ['127.0.0.1', 10257],
  ['127.0.0.1', 10259],
];

/** Throws UserError when another program already listens on a port that the node needs. */
export async function requireFreePorts(ingressPort: number): Promise<void> {
  const all: typeof occupied = [...occupied, ['127.0.0.1', ingressPort]];
  const taken: string[] = [];
  for (const [address, port] of all) {
    if (!(await isFree(address, port))) taken.push(`${address}:${port}`);
  }
  if (taken.length === 0) return;
  throw new UserError(
    `Another program is listening on ${taken.join(', ')}: find it with \`ss -ltnp\` and stop it, or set INGRESS_PORT to move the ingress.`,
  );
}

function isFree(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}
