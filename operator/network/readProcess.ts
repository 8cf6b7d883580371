import { isProcess, readInstance } from '../../core/evm/instance.ts';
import { createEvmRpc, createRpcAgent } from '../../core/evm/rpc.ts';

const timeoutMs = 2_000;

/** Reads the id of the process that answers at a URL; undefined if none does. */
export function createProcessReader(): (url: string) => Promise<string | undefined> {
  const agent = createRpcAgent();
  return async (url) => {
    const instance = await readInstance(createEvmRpc({ url, agent, timeoutMs })).catch(() => undefined);
    return isProcess(instance) ? instance : undefined;
  };
}
