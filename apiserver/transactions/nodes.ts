import { isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { osakaGasCapOf } from '../../core/chains/evm/evmChains.ts';
import { createEvmRpc, createRpcAgent } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { authorityOf } from '../../core/lib/authority.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { createThrottle } from '../../core/lib/throttle.ts';
import type { Touch } from '../../core/networks/activity.ts';
import { incarnationOf, isSameIncarnation } from '../../core/networks/incarnation.ts';
import type { Node } from '../../core/outbox/sending/submitAs.ts';
import { defaultLimits, type RpcGatewayDeps, type Upstream } from '../gateway/deps.ts';
import type { GatewayMetrics } from '../gateway/metrics.ts';
import { createReadiness } from '../gateway/wake/readiness.ts';

/**
 * Gets the node of a network for use: wakes a stopped network, waits for at most holdSeconds, and counts as activity.
 * BadRequest for networks that are not EVM chains, Unavailable if the node is not ready in time.
 */
export type NodeOf = (network: Stored<NetworkResource>) => Promise<Node>;

export interface NodesDeps
  extends Pick<RpcGatewayDeps, 'networks' | 'upstreams' | 'wake' | 'settings' | 'clock'> {
  /** The network in the cache. */
  find(uid: string): Stored<NetworkResource> | undefined;
  touch: Touch;
}

const timeoutMs = 5000;
const wakeIntervalMs = 1000;
/** How long to wait for the operator to say which process runs the chain. */
const publishMs = 5000;
/** Names of a node's ports, as in the gateway's service "rpc". */
const ports = ['rpc'];

const noMetrics: GatewayMetrics = {
  request: () => undefined,
  message: () => undefined,
  held: () => undefined,
  sockets: () => undefined,
};
/** A caller that never disconnects. */
const permanentCaller = { destroyed: false, once: () => undefined, off: () => undefined };

export interface Nodes {
  nodeOf: NodeOf;
  /** The running node, without waking or waiting; undefined if it is not running. */
  presentNode(network: Stored<NetworkResource>): Node | undefined;
  close(): Promise<void>;
}

export function createNodes(deps: NodesDeps): Nodes {
  const agent = createRpcAgent();
  const isWakeDue = createThrottle(deps.clock, wakeIntervalMs);
  const wake = (uid: string) => void (isWakeDue.take(uid) && deps.wake(uid));
  const readiness = createReadiness({ ...deps, wake }, defaultLimits, noMetrics);

  function nodeAt(uid: string, upstream: Upstream): Node | undefined {
    const network = deps.find(uid);
    const incarnation = incarnationOf(network);
    const { chainID: chainId, instance: published } = network?.status ?? {};
    if (!network || incarnation === undefined || chainId === undefined || !published) return undefined;
    const url = `http://${authorityOf(upstream)}`;
    const rpc = createEvmRpc({ url, pod: upstream.pod, agent, timeoutMs, clock: deps.clock });
    const osakaGasCap = osakaGasCapOf(network.spec.chain.type);
    const isCurrent = () => isSameIncarnation(deps.find(uid), incarnation);
    return { rpc, incarnation, chainId, published, osakaGasCap, isCurrent };
  }

  return {
    async nodeOf(network) {
      const { type } = network.spec.chain;
      if (!isEvmChain(type)) {
        throw new AppError('BadRequest', `${type} networks do not accept EVM transactions: use EVM networks`);
      }
      deps.touch(network);
      const uid = network.metadata.uid;
      const verdict = readiness.now(uid, ports) ?? (await readiness.wait(uid, ports, permanentCaller));
      if (!verdict) throw starting(2);
      if ('error' in verdict) throw verdict.error;
      const node = await published(deps.clock, {
        find: () => nodeAt(uid, verdict.upstream),
        nextChange: (waitMs) => readiness.nextChange(uid, waitMs),
      });
      if (!node) throw starting(1);
      return node;
    },
    presentNode(network) {
      if (!isEvmChain(network.spec.chain.type)) return undefined;
      const uid = network.metadata.uid;
      const verdict = readiness.now(uid, ports);
      return verdict && 'upstream' in verdict ? nodeAt(uid, verdict.upstream) : undefined;
    },
    async close() {
      readiness.close();
      await agent.destroy();
    },
  };
}

function starting(retryAfterSeconds: number): AppError {
  return new AppError('Unavailable', 'the network is starting; retry', { retryAfterSeconds });
}

interface Publication {
  find(): Node | undefined;
  /** Waits for a change of the network; resolves to an error when no more callers may wait. */
  nextChange(waitMs: number): Promise<AppError | undefined>;
}

/** The operator publishes which process runs the chain a moment after that answers. */
async function published(clock: Clock, { find, nextChange }: Publication): Promise<Node | undefined> {
  const endMs = clock.steadyMs() + publishMs;
  for (;;) {
    const node = find();
    const leftMs = endMs - clock.steadyMs();
    if (node || leftMs <= 0) return node;
    const refusal = await nextChange(leftMs);
    if (refusal) throw refusal;
  }
}
