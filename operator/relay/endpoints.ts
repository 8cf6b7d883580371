import type { JournalResource } from '../../core/api/resources/journal.ts';
import { type CcipNetwork, ccip } from '../../core/crosschain/ccip/ccipNetwork.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { chainIn } from './caches.ts';

/** Contracts that are not there yet: messages for them wait instead of being taken for strange. */
const nowhere = `0x${'0'.repeat(40)}`;

/** What a journal tells of CCIP on its network. */
export function endpointOf({ spec }: Stored<JournalResource>): CcipNetwork {
  const { network: id, incarnation } = chainIn(spec.scope);
  const addressOf = (step: string) => spec.steps?.[step]?.address ?? nowhere;
  return { id, incarnation, onRamp: addressOf(ccip.onRamp), offRamp: addressOf(ccip.offRamp) };
}

/** Whether messages can come from there. */
export function isComplete({ spec }: Stored<JournalResource>): boolean {
  return [ccip.onRamp, ccip.offRamp].every((step) => spec.steps?.[step]?.address !== undefined);
}

/** A transaction by which the chain of a journal is known again. */
export function hashIn({ spec }: Stored<JournalResource>): string | undefined {
  return Object.values(spec.steps ?? {}).find(({ state }) => state === 'mined')?.hash;
}

/** Where the messages of a network begin: no block before this one holds any. */
export function firstBlockOf({ spec }: Stored<JournalResource>): number {
  return spec.steps?.[ccip.onRamp]?.block ?? 0;
}
