import { isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordedProgress, RecordingResource } from '../../core/api/resources/recordingResource.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { chainStanding, isSameIncarnation } from '../../core/networks/incarnation.ts';

/** What the state of a network means for a recording of it. */
export type Verdict =
  | { kind: 'go' }
  /** Nothing can be read now; perhaps later. */
  | { kind: 'wait'; message: string }
  /** Nothing more will come. */
  | { kind: 'end'; message: string };

interface Case {
  recording: Stored<RecordingResource>;
  /** The network of that name in the recording's namespace. */
  network: Stored<NetworkResource> | undefined;
  progress: RecordedProgress;
}

/**
 * A network that starts a new chain ends its recording: what was captured belongs to the chain that is gone. A network
 * that may have kept its chain under another incarnation is recorded on: its blocks tell.
 */
export function networkVerdict({ recording, network, progress }: Case): Verdict {
  const isStopping = recording.spec.stopped === true;
  const isBegun = progress.firstBlock !== undefined;
  const kept = `what was captured up to block ${progress.lastBlock} is kept`;
  const { networkID, enclaveID: incarnation } = progress;
  const standing = isBegun ? chainStanding(network, { networkID, incarnation }) : undefined;
  if (standing === 'deleted') {
    return { kind: 'end', message: `the network was deleted; ${kept}` };
  }
  if (!network) return notThere(progress.network, isStopping);
  const { type } = network.spec.chain;
  if (!isEvmChain(type)) {
    return { kind: 'end', message: `${type} networks cannot be recorded: name EVM networks only` };
  }
  const { state = 'Pending' } = network.status ?? {};
  if (standing === 'replaced' || isReset(network, incarnation)) {
    return { kind: 'end', message: `the network began a new chain; ${kept}` };
  }
  if (state === 'Operational') return { kind: 'go' };
  if (!isStopping) return { kind: 'wait', message: `the network is not running: it is ${state}` };
  const message = isBegun
    ? `the network was ${state} when the recording was stopped; ${kept}`
    : 'the network never ran during the recording';
  return { kind: 'end', message };
}

/** A chain that begins from a snapshot may have what was captured, but it is another one. */
function isReset(network: NetworkResource, incarnation: string | undefined): boolean {
  const ended = network.status?.previousChain?.enclaveID;
  return ended !== undefined && ended === incarnation && !isSameIncarnation(network, incarnation);
}

function notThere(name: string, isStopping: boolean): Verdict {
  const message = `network "${name}" does not exist in this workspace`;
  return isStopping ? { kind: 'end', message } : { kind: 'wait', message: `${message}: create it` };
}
