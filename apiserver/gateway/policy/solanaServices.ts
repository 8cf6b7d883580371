import type { MethodAccess, ServicePolicy, Services } from './policy.ts';

/**
 * Which methods of Solana's JSON-RPC pass. Validators name them in camel case without namespaces: what reads, simulates,
 * sends or subscribes is for everybody. What is not named here is refused.
 */
const passes =
  /^(get|is|minimum|simulate|send|request)[A-Z][A-Za-z]{1,60}$|^(account|block|logs|program|root|signature|slot|slotsUpdates|vote)(Subscribe|Unsubscribe)$/;

/** Sent by the ecosystem's clients to keep a WebSocket open; validators answer that there is no such method. */
const keepAlive = 'ping';

/** Surfpool's own methods change the chain by hand. */
const byHand = /^surfnet_[A-Za-z]{1,60}$/;
/** By their names such methods take an address to fetch or a file. */
const takesLocation = /(Url|Uri|File|Path|Datasource)$/i;

/** Who may call `method` of a Solana validator. */
export function solanaMethodAccess(method: string): MethodAccess {
  if (takesLocation.test(method)) return 'never';
  if (method === keepAlive || passes.test(method)) return 'public';
  return byHand.test(method) ? 'admin' : 'never';
}

const solana = {
  kind: 'jsonRpc',
  methodAccess: solanaMethodAccess,
  isRepeatable: (method: string) => /^(get|is|minimum|simulate)[A-Z]/.test(method),
} as const;

/** The services of Solana networks. A validator has its WebSocket on a port of its own. */
export const solanaServices: Services = new Map<string, ServicePolicy>([
  ['rpc', { ...solana, ports: ['rpc'], needs: 'public', hasHttp: true }],
  ['ws', { ...solana, ports: ['ws'], needs: 'public', hasHttp: false }],
  ['admin', { ...solana, ports: ['rpc'], needs: 'admin', hasHttp: true }],
]);
