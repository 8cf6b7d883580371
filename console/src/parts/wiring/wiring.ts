import type { Network, Token } from '../../../../sdk/src/generated/types.ts';
import { stateOf } from '../../pages/tokens/matrix.ts';

/** One end of connections. */
export interface WiringNode {
  id: string;
  name: string;
  /** Undefined where it has none of its own. */
  state?: string;
  /** Where its connections end, such as a pool. */
  facts: readonly { name: string; value: string }[];
}

/** Two nodes that are to be connected. */
interface WiringEdge {
  from: string;
  to: string;
  isConnected: boolean;
  /** Whether messages pass in one direction only. */
  isOneWay: boolean;
}

export interface WiringData {
  nodes: WiringNode[];
  edges: WiringEdge[];
}

const factNames = ['pool', 'chain_selector', 'endpoint', 'endpoint_id'];

/** Whether the contracts of a token know each other. */
export const isWired = ({ type }: Pick<Token, 'type'>) => type === 'CCT' || type === 'OFT';

/** Each contract of a cross-chain token is connected with all others. */
export function tokenWiring({ deployments = [] }: Token, nameOf: (id: string) => string): WiringData {
  const nodes = deployments.map((one) => ({
    id: one.network_id,
    name: nameOf(one.network_id),
    state: stateOf(one),
    facts: Object.entries(one.extra_addresses ?? {})
      .filter(([name]) => factNames.includes(name))
      .map(([name, value]) => ({ name: name.replaceAll('_', ' '), value })),
  }));
  const isReady = deployments.map((one) => stateOf(one) === 'Deployed');
  const waitsFor = (at: number, other: number) =>
    deployments[at]?.message?.endsWith(` ${nodes[other]?.name}`) ?? false;
  const edges = nodes.flatMap(({ id: from }, one) =>
    nodes.slice(one + 1).map(({ id: to }, offset) => {
      const other = one + 1 + offset;
      const areReady = Boolean(isReady[one] && isReady[other]);
      const isConnected = areReady && !waitsFor(one, other) && !waitsFor(other, one);
      return { from, to, isConnected, isOneWay: false };
    }),
  );
  return { nodes, edges };
}

/** The endpoints of a LayerZero network with the connections of its spec; without any, all with all. */
export function layerZeroWiring({ spec, status }: Network): WiringData {
  const { networks = [], connections } = spec.chain.layerzero ?? {};
  const members = new Map(status?.layerzero?.members.map((member) => [member.network, member]));
  const names = networks.map(({ networkRef }) => networkRef.name);
  const nodes = names.map((name) => {
    const { eid, endpoint } = members.get(name) ?? {};
    const facts = [
      ...(eid === undefined ? [] : [{ name: 'endpoint id', value: String(eid) }]),
      ...(endpoint === undefined ? [] : [{ name: 'endpoint', value: endpoint }]),
    ];
    return { id: name, name, facts };
  });
  const isConnected = status?.layerzero?.wired !== undefined && status.state === 'Operational';
  return { nodes, edges: pairsOf(names, connections).map((pair) => ({ ...pair, isConnected })) };
}

type Connections = readonly { from: string; to: string }[] | undefined;

/** Two connections in opposite directions are one edge. */
function pairsOf(names: readonly string[], connections: Connections) {
  if (!connections) {
    return names.flatMap((from, at) => names.slice(at + 1).map((to) => ({ from, to, isOneWay: false })));
  }
  const keys = new Set(connections.map(({ from, to }) => `${from} ${to}`));
  return connections
    .filter(({ from, to }) => from < to || !keys.has(`${to} ${from}`))
    .map(({ from, to }) => ({ from, to, isOneWay: !keys.has(`${to} ${from}`) }));
}

/** Whom a node reaches, or is to reach. */
export function reachOf(id: string, { nodes, edges }: WiringData): { connected: string[]; open: string[] } {
  const reached = edges.flatMap(({ from, to, isConnected, isOneWay }) => {
    if (from === id) return [{ other: to, isConnected }];
    return to === id && !isOneWay ? [{ other: from, isConnected }] : [];
  });
  const names = (isConnected: boolean) =>
    reached
      .filter((one) => one.isConnected === isConnected)
      .map(({ other }) => nodes.find((node) => node.id === other)?.name ?? other);
  return { connected: names(true), open: names(false) };
}
