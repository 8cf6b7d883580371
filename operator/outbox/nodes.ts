import { createEvmRpc, createRpcAgent, type EvmRpc } from '../../core/evm/rpc.ts';
import type { EngineUrlOf } from '../engines.ts';

const timeoutMs = 8000;
/** Receipts with many logs are long, and come in batches. */
const maxBytes = 64 * 1024 * 1024;

/** The nodes of networks, over keep-alive connections: those behind `rpc` or a named service; undefined while not ready. */
export function createNodes(
  urlOf: EngineUrlOf,
): (networkUid: string, service?: string) => EvmRpc | undefined {
  const agent = createRpcAgent();
  return (networkUid, service) => {
    const url = urlOf(networkUid, service);
    return url === undefined ? undefined : createEvmRpc({ url, agent, timeoutMs, maxBytes });
  };
}
