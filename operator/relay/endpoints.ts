import type { JournalResource } from '../../core/api/resources/journal.ts';
import { type CcipNetwork, ccip } from '../../core/crosschain/ccip/ccipNetwork.ts';
import type { Mined } from '../../core/deploy/anchor.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { chainIn } from './caches.ts';

/** Contracts that are not deployed yet: messages for them wait instead of being ignored as foreign. */
const nowhere = `0x${'0'.repeat(40)}`;

/** What a journal says about CCIP on its network. */
export function endpointOf({ spec }: Stored<JournalResource>): CcipNetwork {
  const { network: id, incarnation } = chainIn(spec.scope);
  const addressOf = (step: string) => spec.steps?.[step]?.address ?? nowhere;
  return { id, incarnation, onRamp: addressOf(ccip.onRamp), offRamp: addressOf(ccip.offRamp) };
}

/** Whether messages can come from there. */
export function isComplete({ spec }: Stored<JournalResource>): boolean {
  return [ccip.onRamp, ccip.offRamp].every((step) => spec.steps?.[step]?.address !== undefined);
}

/** A transaction that identifies the chain of a journal. */
export function minedIn({ spec }: Stored<JournalResource>): Mined | undefined {
  return Object.values(spec.steps ?? {}).find(({ state }) => state === 'mined');
}

/** The first block of a network that can contain messages. */
export function firstBlockOf({ spec }: Stored<JournalResource>): number {
  return spec.steps?.[ccip.onRamp]?.block ?? 0;
}
