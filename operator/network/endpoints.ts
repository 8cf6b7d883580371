import { accessKeyOf } from '../../core/accounts/accessKeys.ts';
import type { EnginePlan } from '../../core/chains/driver.ts';

interface EndpointInput {
  publicUrl: string;
  gatewayKey: Uint8Array;
  networkUid: string;
}

/**
 * The EndpointSet's map: service name to URL. Every URL leads through the gateway:
 * `{publicUrl}/rpc/{network uid}/{access key}/{service}`.
 */
export function endpointsOf(plan: EnginePlan, input: EndpointInput): Record<string, string> {
  const base = `${input.publicUrl}/rpc/${input.networkUid}`;
  const publicKey = accessKeyOf(input.gatewayKey, input.networkUid, 'public');
  const map: Record<string, string> = {};
  for (const service of Object.keys(plan.services)) map[service] = `${base}/${publicKey}/${service}`;
  if (!plan.services.rpc) return map;
  const adminKey = accessKeyOf(input.gatewayKey, input.networkUid, 'admin');
  map.ws = `${base.replace(/^http/, 'ws')}/${publicKey}/ws`;
  map.admin = `${base}/${adminKey}/admin`;
  return map;
}
