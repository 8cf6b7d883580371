import { createEvmRpc, createRpcAgent, type EvmRpc } from '../../../core/evm/rpc.ts';
import { authorityOf } from '../../../core/lib/authority.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import type { UpstreamLookup } from '../deps.ts';

/** The gateway's own calls to the nodes of EVM networks. */
export interface NodeCalls {
  /** Whether the network has a node now. */
  isPresent(networkUid: string): boolean;
  /** Calls the network's node, unless it has none. Never rejects: a failure is logged as `problem`. */
  ask(networkUid: string, problem: string, work: (rpc: EvmRpc) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface NodeCallsDeps {
  upstreams: Pick<UpstreamLookup, 'find'>;
  warn(networkUid: string, message: string, reason: string): void;
}

export function createNodeCalls({ upstreams, warn }: NodeCallsDeps): NodeCalls {
  const agent = createRpcAgent();
  let isClosed = false;
  return {
    isPresent: (uid) => upstreams.find(uid, 'rpc') !== undefined,
    async ask(uid, problem, work) {
      const place = upstreams.find(uid, 'rpc');
      if (!place) return;
      const rpc = createEvmRpc({ url: `http://${authorityOf(place)}`, agent });
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
