import { servicesOf } from '../../../apiserver/gateway/policy/families.ts';
import type { Assist } from '../../../apiserver/gateway/policy/policy.ts';
import { screen } from '../../../apiserver/gateway/policy/screen.ts';
import { shapeOf } from '../../../apiserver/gateway/wake/networks.ts';
import type { NodeWork } from '../../../apiserver/http/limits/nodeWork.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { RpcError } from '../../../core/evm/rpc.ts';
import type { ChainRead } from '../api/chain.ts';

/** A call as the gateway sends it to a node. */
interface PublicCall {
  text: string;
  /** How the gateway answers it itself. */
  assist: Assist | undefined;
  work: NodeWork;
}

/**
 * What the gateway makes of a call to the public URL of a network: what it limits, refuses and corrects there holds for explorers as well.
 * The error of a call that it refuses.
 */
export function publicCallOf(
  network: NetworkResource,
  { method, params = [] }: ChainRead,
): PublicCall | { error: RpcError } {
  const policy = servicesOf(shapeOf(network)).get('rpc');
  if (policy?.kind !== 'jsonRpc') throw new Error(`${network.spec.chain.type} networks have no JSON-RPC`);
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { forward, refusals, work, steps } = screen(Buffer.from(text), { access: 'public', policy });
  if (!forward) return { error: JSON.parse(refusals[0] ?? '').error };
  const [step] = steps;
  return {
    text: forward.toString(),
    assist: step && 'assist' in step ? step.assist : undefined,
    work,
  };
}
