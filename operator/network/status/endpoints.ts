import { accessKeyOf } from '../../../core/accounts/accessKeys.ts';
import type { EnginePlan } from '../../../core/chains/driver.ts';
import type { NetworkFacts } from '../decide/facts.ts';

/**
 * The EndpointSet's map: service name to URL. Every URL leads through the gateway:
 * `{publicUrl}/rpc/{network uid}/{access key}/{service}`.
 */
export function endpointsOf(plan: EnginePlan, facts: NetworkFacts): Record<string, string> {
  const { network, gatewayKey, installation } = facts;
  const uid = network.metadata.uid;
  const base = `${installation.publicUrl}/rpc/${uid}`;
  const publicKey = accessKeyOf(gatewayKey, uid, 'public');
  const map: Record<string, string> = {};
  for (const [service, { needs = 'public' }] of Object.entries(plan.services)) {
    map[service] = `${base}/${accessKeyOf(gatewayKey, uid, needs)}/${service}`;
  }
  if (!plan.services.rpc) return map;
  map.ws = `${base.replace(/^http/, 'ws')}/${publicKey}/ws`;
  map.admin = `${base}/${accessKeyOf(gatewayKey, uid, 'admin')}/admin`;
  return map;
}
