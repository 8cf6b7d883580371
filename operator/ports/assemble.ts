import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import { createSend } from '../../core/outbox/send.ts';
import { createSenderQueues } from '../../core/outbox/senderQueues.ts';
import type { Signer } from '../../core/signing/signer.ts';
import { type ChainsDeps, createChains } from './chains.ts';
import { createJournals, type JournalsDeps } from './journals.ts';

interface ChainPortsOptions extends Pick<ChainsDeps, 'rpcOf' | 'outboxes'> {
  kube: Kube;
  tokens: Reflector<TokenResource>;
  networks: ChainsDeps['networks'] & JournalsDeps['caches']['networks'];
  signer: Signer;
  clock: Clock;
  log: Log;
}

/** The ports of core/tokens in a cluster: chains whose transactions go through sender queues, and journals. */
export function createChainPorts({ kube, tokens, networks, outboxes, rpcOf, ...rest }: ChainPortsOptions) {
  const send = createSend({ ...rest, queues: createSenderQueues({ kube, ...rest }) });
  return {
    chainOf: createChains({ kube, networks, outboxes, rpcOf, send }),
    journals: createJournals({ kube, caches: { tokens, networks } }),
  };
}
