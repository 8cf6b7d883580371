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
 * The reason for an end does not say what is left of the recording. A network that starts a new chain ends its recording: what
 * was captured belongs to the chain that is gone. The recording of a network that may have kept its chain under another
 * incarnation goes on: the blocks decide.
 */
export function networkVerdict({ recording, network, progress }: Case): Verdict {
  const isStopping = recording.spec.stopped === true;
  const isBegun = progress.firstBlock !== undefined;
  const { networkID, enclaveID: incarnation } = progress;
  const standing = isBegun ? chainStanding(network, { networkID, incarnation }) : undefined;
  const isUnseen = isAppliedStart(recording, progress);
  const chainGone = (message: string): Verdict => ({ kind: 'end', message: isUnseen ? goneStart : message });
  const isAwaited = standing !== 'deleted' || (isUnseen && !isStopping);
  if (!network && isAwaited) return notThere(progress.network, isStopping);
  if (!network) return { kind: 'end', message: 'the network was deleted' };
  if (standing === 'deleted') return chainGone('the network was deleted');
  const { type } = network.spec.chain;
  if (!isEvmChain(type)) {
    return { kind: 'end', message: `${type} networks cannot be recorded: name EVM networks only` };
  }
  const { state = 'Pending' } = network.status ?? {};
  if (standing === 'replaced' || isReset(network, incarnation)) {
    return chainGone('the network began a new chain');
  }
  if (state === 'Operational') return { kind: 'go' };
  if (!isStopping) return { kind: 'wait', message: `the network is not running: it is ${state}` };
  if (isBegun && hasEnded(network, incarnation)) return { kind: 'end', message: "the network's chain ended" };
  return { kind: 'end', message: `the network was ${state} when the recording was stopped` };
}

const goneStart =
  'the network has another chain than the one that spec.start names: to record it, leave spec.start out of a new recording';

/** Whether nothing was read yet of the chain that the spec names. A manifest may name one of before, and come before its network. */
function isAppliedStart({ spec }: RecordingResource, { network, genesisHash }: RecordedProgress): boolean {
  return genesisHash === undefined && (spec.start ?? []).some((head) => head.network === network);
}

/** A chain that began from a snapshot may contain what was captured, but it is another chain. */
function isReset(network: NetworkResource, incarnation: string | undefined): boolean {
  return hasEnded(network, incarnation) && !isSameIncarnation(network, incarnation);
}

function hasEnded({ status }: NetworkResource, incarnation: string | undefined): boolean {
  return incarnation !== undefined && status?.previousChain?.enclaveID === incarnation;
}

function notThere(name: string, isStopping: boolean): Verdict {
  const message = `network "${name}" does not exist in this workspace`;
  return isStopping ? { kind: 'end', message } : { kind: 'wait', message: `${message}: create it` };
}
