import type { JournalResource } from '../../core/api/journal.ts';
import type { NetworkResource } from '../../core/api/network.ts';
import type { TokenContracts } from '../../core/tokens/artifacts.ts';
import { type CcipNetwork, ccip } from '../../core/tokens/ccipNetwork.ts';
import { endpointStep, type LayerZeroStation, messageLibStep } from '../../core/tokens/layerZeroMembers.ts';
import { ccipRelayProtocol } from '../../core/tokens/relay/ccip.ts';
import { layerZeroRelayProtocol } from '../../core/tokens/relay/layerZero.ts';
import type { RelayMessage, RelayProtocol } from '../../core/tokens/relay/protocol.ts';
import { membersOf } from '../layerzero/members.ts';
import { placeOf } from './caches.ts';

/** Contracts that are not there yet: messages for them wait instead of being taken for strange. */
const nowhere = `0x${'0'.repeat(40)}`;

const addressIn = ({ spec }: JournalResource, step: string) => spec.steps?.[step]?.address ?? nowhere;

/** Whether messages can come from what a journal tells of. */
export function isComplete(journal: JournalResource): boolean {
  const isCcip = placeOf(journal.spec.scope).protocol === 'ccip';
  const needed = isCcip ? [ccip.onRamp, ccip.offRamp] : [endpointStep, messageLibStep];
  return needed.every((step) => addressIn(journal, step) !== nowhere);
}

/** A transaction by which the chain of a journal is known again. */
export function hashIn({ spec }: JournalResource): string | undefined {
  return Object.values(spec.steps ?? {}).find(({ state }) => state === 'mined')?.hash;
}

export function ccipOver(
  journals: readonly JournalResource[],
  contracts: TokenContracts,
): RelayProtocol<RelayMessage> {
  const networks = journals.map((journal): CcipNetwork => {
    const { network: id, incarnation } = placeOf(journal.spec.scope);
    return {
      id,
      incarnation,
      onRamp: addressIn(journal, ccip.onRamp),
      offRamp: addressIn(journal, ccip.offRamp),
    };
  });
  return widened(ccipRelayProtocol(networks, contracts));
}

interface LayerZero {
  network: NetworkResource;
  find(name: string): NetworkResource | undefined;
}

/** Over the members of a LayerZero network that the journals tell of. */
export function layerZeroOver(
  { network, find }: LayerZero,
  journals: readonly JournalResource[],
  contracts: TokenContracts,
): RelayProtocol<RelayMessage> {
  const stations = membersOf(network, find).flatMap(({ id, eid }): LayerZeroStation[] => {
    const journal = journals.find(({ spec }) => placeOf(spec.scope).network === id);
    if (!journal) return [];
    const { incarnation } = placeOf(journal.spec.scope);
    const [endpoint, messageLib] = [endpointStep, messageLibStep].map((step) => addressIn(journal, step));
    return [{ id, incarnation, eid, endpoint: endpoint ?? nowhere, messageLib: messageLib ?? nowhere }];
  });
  return widened(layerZeroRelayProtocol(network.metadata.uid ?? '', stations, contracts));
}

/** What is handed to `next` comes from the same protocol's `parse`. */
function widened<Message extends RelayMessage>(
  protocol: RelayProtocol<Message>,
): RelayProtocol<RelayMessage> {
  return protocol as unknown as RelayProtocol<RelayMessage>;
}
