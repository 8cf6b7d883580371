import type { MethodAccess, ServicePolicy, Services } from './policy.ts';

/**
 * Which methods of Solana's JSON-RPC are forwarded. Validators name them in camel case without namespaces. Reads,
 * simulations, sends and subscriptions are public. Any other method is refused.
 */
const passes =
  /^(get|is|minimum|simulate|send|request)[A-Z][A-Za-z]{1,60}$|^(account|block|logs|program|root|signature|slot|slotsUpdates|vote)(Subscribe|Unsubscribe)$/;

/** Sent by Solana clients to keep a WebSocket open; validators answer that the method does not exist. */
const keepAlive = 'ping';

/** Surfpool's own methods change the chain directly. */
const surfpoolMethods = /^surfnet_[A-Za-z]{1,60}$/;
/** Judging by their names, these methods take a URL to fetch or a file. */
const takesLocation = /(Url|Uri|File|Path|Datasource)$/i;

/** Who may call `method` of a Solana validator. */
export function solanaMethodAccess(method: string): MethodAccess {
  if (takesLocation.test(method)) return 'never';
  if (method === keepAlive || passes.test(method)) return 'public';
  return surfpoolMethods.test(method) ? 'admin' : 'never';
}

const solana = {
  kind: 'jsonRpc',
  methodAccess: solanaMethodAccess,
  isRepeatable: (method: string) => /^(get|is|minimum|simulate)[A-Z]/.test(method),
} as const;

/** The services of Solana networks. A validator serves WebSocket on a separate port. */
export const solanaServices: Services = new Map<string, ServicePolicy>([
  ['rpc', { ...solana, ports: ['rpc'], needs: 'public', hasHttp: true }],
  ['ws', { ...solana, ports: ['ws'], needs: 'public', hasHttp: false }],
  ['admin', { ...solana, ports: ['rpc'], needs: 'admin', hasHttp: true }],
  ['admin-ws', { ...solana, ports: ['ws'], needs: 'admin', hasHttp: false }],
]);
