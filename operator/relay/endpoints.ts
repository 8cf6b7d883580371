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

/**
 * The later one of the transactions that created what messages pass: a chain that has it has both. Others of the journal, such as those of
 * lanes, may be undone alone.
 */
export function minedIn({ spec }: Stored<JournalResource>): Mined | undefined {
  const created = [ccip.onRamp, ccip.offRamp]
    .flatMap((step) => spec.steps?.[step] ?? [])
    .filter(({ state }) => state === 'mined');
  return created.reduce<Mined | undefined>(
    (last, one) => ((one.block ?? 0) >= (last?.block ?? 0) ? one : last),
    undefined,
  );
}

/** The first block of a network that can contain messages. */
export function firstBlockOf({ spec }: Stored<JournalResource>): number {
  return spec.steps?.[ccip.onRamp]?.block ?? 0;
}
