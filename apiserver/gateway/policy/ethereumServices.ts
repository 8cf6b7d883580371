import type { MethodAccess, ServicePolicy, Services } from './policy.ts';
import { evmJsonRpc, evmServices } from './services.ts';

/** POST requests of the beacon API (github.com/ethereum/beacon-APIs) that ask, or that hand in what is signed. */
const openPosts =
  /^\/eth\/v\d\/(beacon\/(pool|rewards)\/|beacon\/states\/[^/]+\/(validators|validator_balances|validator_identities)$|validator\/(duties|liveness)\/)/;

/**
 * Who may use a path of a beacon node's REST: everybody reads; blocks and what belongs to validators are handed in with
 * the admin URL; paths of a client's own, some of which lead a node elsewhere, are nobody's.
 */
export function beaconPathAccess(method: string, path: string): MethodAccess {
  if (!/^\/eth\/v\d\//.test(path)) return 'never';
  if (method === 'GET' || method === 'HEAD') return 'public';
  if (method !== 'POST') return 'never';
  return openPosts.test(path) ? 'public' : 'admin';
}

/** The services of nodes by their number: `el-1` is JSON-RPC of the first execution client, `cl-1` REST of its beacon node. */
function nodeService(name: string, participants: number): ServicePolicy | undefined {
  const [, layer, number] = /^(el|cl)-([1-9][0-9]{0,3})$/.exec(name) ?? [];
  if (layer === undefined || Number(number) > participants) return undefined;
  const common = { ports: [name], needs: 'public' } as const;
  if (layer === 'cl') return { ...common, kind: 'plainHttp', pathAccess: beaconPathAccess };
  return { ...common, ...evmJsonRpc, hasHttp: true, hasSocket: false };
}

/** The services of Ethereum networks: those of every EVM chain, and of each node of networks with participants. */
export function ethereumServicesOf(participants: number): Services {
  return { get: (name) => evmServices.get(name) ?? nodeService(name, participants) };
}
