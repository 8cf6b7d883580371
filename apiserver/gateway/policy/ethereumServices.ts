import type { MethodAccess, ServicePolicy, Services } from './policy.ts';
import { evmClientServices, evmJsonRpc } from './services.ts';

/** POST requests of the beacon API (github.com/ethereum/beacon-APIs) that query or submit signed objects. */
const openPosts =
  /^\/eth\/v\d\/(beacon\/(pool|rewards)\/|beacon\/states\/[^/]+\/(validators|validator_balances|validator_identities)$|validator\/(duties|liveness)\/)/;

/**
 * Who may use a path of a beacon node's REST API: everybody may read; blocks and validator objects require the admin
 * URL; client-specific paths are closed, because some of them point the node at another server.
 */
export function beaconPathAccess(method: string, path: string): MethodAccess {
  if (!/^\/eth\/v\d\//.test(path)) return 'never';
  if (method === 'GET' || method === 'HEAD') return 'public';
  if (method !== 'POST') return 'never';
  return openPosts.test(path) ? 'public' : 'admin';
}

/** Services of nodes by number: `el-1` is JSON-RPC of the first execution client, `cl-1` is REST of its beacon node. */
function nodeService(name: string, participants: number): ServicePolicy | undefined {
  const [, layer, number] = /^(el|cl)-([1-9][0-9]{0,3})$/.exec(name) ?? [];
  if (layer === undefined || Number(number) > participants) return undefined;
  const common = { ports: [name], needs: 'public' } as const;
  if (layer === 'cl') return { ...common, kind: 'plainHttp', pathAccess: beaconPathAccess };
  return { ...common, ...evmJsonRpc, hasHttp: true, hasSocket: false };
}

/** The services of Ethereum networks: those of every EVM chain, and those of each node if there are participants. */
export function ethereumServicesOf(participants: number): Services {
  return { get: (name) => evmClientServices.get(name) ?? nodeService(name, participants) };
}
