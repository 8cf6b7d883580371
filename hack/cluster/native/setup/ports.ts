import { createServer } from 'node:net';
import { UserError } from '../../../lib/run.ts';
import { API_PORT, NODE_ADDRESS } from './layout.ts';

/** Where the node's processes listen. */
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

/** Throws UserError when another program listens where the node must. */
export async function requireFreePorts(ingressPort: number): Promise<void> {
  const all: typeof occupied = [...occupied, ['127.0.0.1', ingressPort]];
  const taken: string[] = [];
  for (const [address, port] of all) {
    if (!(await isFree(address, port))) taken.push(`${address}:${port}`);
  }
  if (taken.length === 0) return;
  throw new UserError(
    `Another program listens on ${taken.join(', ')}: end it (\`ss -ltnp\` names it). INGRESS_PORT chooses another port for the ingress.`,
  );
}

function isFree(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}
