import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { anInstallation, nowMs } from '../../network/testing/facts.ts';
import { decide } from '../decide.ts';
import { scopeOf } from '../endpoints.ts';
import type { LayerZeroDecision, LayerZeroFacts, Memory } from '../facts.ts';

/** Addresses derived from the member's name. */
export const endpointOf = (name: string) => ({
  endpoint: `0x${name.charCodeAt(0).toString(16).padStart(40, '0')}`,
  messageLib: `0x${name.charCodeAt(0).toString(16).padStart(40, 'f')}`,
});

/** An Operational network; `status` and `spec` are merged into its own. */
export function aMember(name: string, status: object = {}, spec: object = {}): Stored<NetworkResource> {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: {
      name,
      namespace: 'ws',
      uid: `u-${name}`,
      generation: 1,
      resourceVersion: '1',
      creationTimestamp: '2030-01-02T03:00:00Z',
    },
    spec: { chain: { type: 'Base', base: {} }, ...spec },
    status: {
      state: 'Operational',
      enclaveID: `${name}-1`,
      endpoints: { rpc: `http://${name}`, ws: `ws://${name}`, admin: 'x' },
      ...status,
    },
  };
}

type LayerZeroSpec = NonNullable<NetworkResource['spec']['chain']['layerzero']>;

interface World {
  layerzero?: LayerZeroSpec;
  members?: Stored<NetworkResource>[];
  facts?: Partial<LayerZeroFacts>;
}

/** The spec with the members `a` and `b`. */
export const two = { networks: [{ networkRef: { name: 'a' } }, { networkRef: { name: 'b' } }] };

/** A LayerZero network, its members and the operator's memory, across operator restarts. */
export function createWorld({
  layerzero = two,
  members = [aMember('a'), aMember('b')],
  facts = {},
}: World = {}) {
  const memory: Memory = { endpoints: new Map(), verified: new Map() };
  const world = {
    memory,
    members: new Map(members.map((member) => [member.metadata.name, member])),
    network: aMesh(layerzero),
    facts,
    /** Decides and saves the status. */
    step(): LayerZeroDecision {
      const decision = decide({ ...factsOf(world), ...world.facts });
      world.network = { ...world.network, status: { ...world.network.status, ...decision.status } };
      return decision;
    },
    /** Executes the order on simulated chains. */
    obey: (decision: LayerZeroDecision) => obey(memory, decision),
    /** Repeats until there is no order. */
    settle(): LayerZeroDecision {
      let decision = world.step();
      while (decision.order) {
        world.obey(decision);
        decision = world.step();
      }
      return decision;
    },
    restart(): void {
      memory.endpoints.clear();
      memory.verified.clear();
      delete memory.outcome;
    },
    replace(name: string, status: object, spec: object = {}): void {
      world.members.set(name, aMember(name, status, spec));
    },
    change(spec: object): void {
      const metadata = {
        ...world.network.metadata,
        generation: (world.network.metadata.generation ?? 0) + 1,
      };
      world.network = { ...world.network, metadata, spec: { ...world.network.spec, ...spec } };
    },
    of: (name: string) => world.network.status?.layerzero?.members.find(({ network }) => network === name),
  };
  return world;
}

const aMesh = (layerzero: LayerZeroSpec): Stored<NetworkResource> => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Network',
  metadata: {
    name: 'mesh',
    namespace: 'ws',
    uid: 'u-mesh',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2030-01-02T03:00:00Z',
  },
  spec: { chain: { type: 'LayerZero', layerzero } },
});

interface Seen {
  network: Stored<NetworkResource>;
  members: ReadonlyMap<string, Stored<NetworkResource>>;
  memory: Memory;
}

function factsOf({ network, members, memory }: Seen): LayerZeroFacts {
  const { networks = [] } = network.spec.chain.layerzero ?? {};
  return {
    network,
    nowMs,
    memory,
    quotaRefusal: undefined,
    isStopAllowed: true,
    installation: anInstallation(),
    members: networks.map(({ networkRef: { name }, eid }) => ({
      name,
      network: members.get(name),
      ...(eid === undefined ? {} : { eid }),
    })),
  };
}

function obey(memory: Memory, { order }: LayerZeroDecision): void {
  for (const { id, incarnation, enclaveID } of order?.unverified ?? []) {
    memory.verified.set(`${id}/${incarnation}/${enclaveID}`, 'current');
  }
  for (const endpoint of order?.endpoints ?? []) {
    memory.endpoints.set(scopeOf(endpoint), endpointOf(endpoint.name));
  }
  if (order) memory.outcome = { key: order.key, state: 'done' };
}
