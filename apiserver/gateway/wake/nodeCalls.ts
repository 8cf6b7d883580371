import {
  createEvmRpc,
  createRpcAgent,
  type EvmRpc,
  type EvmRpcOptions,
  postText,
} from '../../../core/evm/rpc.ts';
import { authorityOf } from '../../../core/lib/authority.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import type { UpstreamLookup } from '../deps.ts';

/** The gateway's own calls to the nodes of EVM networks. */
export interface NodeCalls {
  /** Whether the network has a node now. */
  isPresent(networkUid: string): boolean;
  /** The network's node for one request to it; undefined while it has none. */
  open(networkUid: string, limits: NodeLimits): OpenNode | undefined;
  /** Calls the network's node, unless it has none. Never rejects: a failure is logged as `problem`. */
  ask(networkUid: string, problem: string, work: (rpc: EvmRpc) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** What bounds the calls of one request. */
type NodeLimits = Required<Pick<EvmRpcOptions, 'timeoutMs' | 'maxBytes' | 'take'>>;

export interface OpenNode {
  rpc: EvmRpc;
  /** Sends JSON-RPC as it is. Rejects with Unavailable. */
  post(text: string): Promise<string>;
}

export interface NodeCallsDeps {
  upstreams: Pick<UpstreamLookup, 'find'>;
  warn(networkUid: string, message: string, reason: string): void;
}

export function createNodeCalls({ upstreams, warn }: NodeCallsDeps): NodeCalls {
  const agent = createRpcAgent();
  let isClosed = false;
  const placeOf = (uid: string) => {
    const place = upstreams.find(uid, 'rpc');
    return place && { url: `http://${authorityOf(place)}`, agent };
  };
  return {
    isPresent: (uid) => upstreams.find(uid, 'rpc') !== undefined,
    open(uid, limits) {
      const place = placeOf(uid);
      if (!place) return undefined;
      const bounded = { ...place, ...limits };
      return { rpc: createEvmRpc(bounded), post: (text) => postText(bounded, text) };
    },
    async ask(uid, problem, work) {
      const place = placeOf(uid);
      if (!place) return;
      const rpc = createEvmRpc(place);
      await work(rpc).catch((error: unknown) => {
        if (!isClosed) warn(uid, problem, messageOf(error));
      });
    },
    close() {
      isClosed = true;
      return agent.destroy();
    },
  };
}
