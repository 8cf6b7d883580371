import type { NetworkResource } from '../../core/api/resources/network.ts';
import { createEvmRpc, createRpcAgent, type EvmRpc } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { EngineOf } from '../engines.ts';

const timeoutMs = 8000;

/** The nodes of networks, over keep-alive connections: those behind `rpc` or a named service; undefined while not ready. */
export function createNodes(
  engineOf: EngineOf,
): (networkUid: string, service?: string) => EvmRpc | undefined {
  const agent = createRpcAgent();
  return (networkUid, service) => {
    const engine = engineOf(networkUid, service);
    return engine && createEvmRpc({ ...engine, agent, timeoutMs });
  };
}

/** The services of the execution clients of a network with participants; `rpc` is the first one. */
const executionService = /^el-(?!1$)\d+$/;

/** The ready nodes of a network beside the first one. */
export function peersOf(
  { metadata, status }: Stored<NetworkResource>,
  rpcOf: (networkUid: string, service: string) => EvmRpc | undefined,
): EvmRpc[] {
  const services = Object.keys(status?.endpoints ?? {}).filter((name) => executionService.test(name));
  return services.flatMap((service) => rpcOf(metadata.uid, service) ?? []);
}
