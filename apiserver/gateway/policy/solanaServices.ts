import { solanaAnswerWeight } from './answerWeights.ts';
import type { MethodAccess, ServicePolicy, Services } from './policy.ts';
import { solanaMethodAccess, solanaRefusalReason } from './solanaMethods.ts';
import { solanaFault } from './solanaTransactions.ts';
import { solanaSubscription } from './subscriptions.ts';

/** What the installation decides for all Solana networks. */
export interface SolanaRules {
  /** Who may have SOL from the faucet of a network. */
  airdrops: MethodAccess;
}

/** The services of Solana networks. A node serves WebSocket on a separate port. */
export function solanaServicesOf({ airdrops }: SolanaRules): Services {
  const solana = {
    kind: 'jsonRpc',
    methodAccess: (method: string, text?: string) => solanaMethodAccess(method, { airdrops, text }),
    refusalReason: solanaRefusalReason,
    faultOf: solanaFault,
    answerWeight: solanaAnswerWeight,
    subscription: solanaSubscription,
    isRepeatable: (method: string) => /^(get|is|minimum|simulate)[A-Z]/.test(method),
  } as const;
  return new Map<string, ServicePolicy>([
    ['rpc', { ...solana, ports: ['rpc'], needs: 'public', hasHttp: true }],
    ['ws', { ...solana, ports: ['ws'], needs: 'public', hasHttp: false }],
    ['admin', { ...solana, ports: ['rpc'], needs: 'admin', hasHttp: true }],
    ['admin-ws', { ...solana, ports: ['ws'], needs: 'admin', hasHttp: false }],
  ]);
}
