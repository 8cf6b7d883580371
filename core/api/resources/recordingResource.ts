import { z } from 'zod';
import { listMap, listSet, withRules } from '../cel.ts';
import { nameSchema, observedFields, timeSchema } from '../common.ts';
import { maxRecordedNetworks, recordingStates, startRecordingSchema } from '../rest/recording.ts';
import { recordedNetworkSchema } from '../rest/replay.ts';
import { hashSchema, zeroAddress } from '../values.ts';
import type { NamespacedObject } from './kubeObject.ts';

/** Where a chain was when a request came; the operator may be away then. */
const headSchema = z.strictObject({
  network: nameSchema.describe('Name of the network.'),
  networkID: z.string().max(63).describe('Id of the network.'),
  enclaveID: z.string().max(253).describe('Id of the chain.'),
  chainID: z.string().max(78).describe('Chain id of the network.'),
  block: z.int().min(0).describe('Number of its last block.'),
  hash: hashSchema.max(66).describe('Hash of that block.'),
});
export type RecordedHead = z.infer<typeof headSchema>;

const headsSchema = z.array(headSchema).max(maxRecordedNetworks).meta(listMap('network'));

/** Heads cannot be changed once they are there. */
function fixed(member: 'start' | 'end') {
  return {
    rule: `!has(oldSelf.${member}) || (has(self.${member}) && self.${member} == oldSelf.${member})`,
    message: `spec.${member} is immutable`,
    fieldPath: `.${member}`,
  };
}

export const recordingSpecSchema = z
  .strictObject({
    userAddress: startRecordingSchema.shape.userAddress,
    networks: z
      .array(nameSchema)
      .min(1)
      .max(maxRecordedNetworks)
      .meta(listSet)
      .describe('Names of Networks of the same workspace.'),
    stopped: z.boolean().optional().describe('true stops the recording permanently.'),
    start: headsSchema
      .optional()
      .describe(
        'Where the chains were when the recording was started over REST: it begins with the next block of each. A network that is not named begins when the operator sees the recording, or, if that is late, with its first block that is not older than the recording.',
      ),
    end: headsSchema
      .optional()
      .describe(
        'Where the chains were when the recording was stopped over REST: its last blocks. On a network that is not named, the last block is the head when the operator sees that it is stopped.',
      ),
  })
  .meta(
    withRules(
      {
        rule: 'self.userAddress == oldSelf.userAddress',
        message: 'spec.userAddress is immutable',
        fieldPath: '.userAddress',
      },
      {
        rule: `self.userAddress != '${zeroAddress}'`,
        message: 'spec.userAddress must not be the zero address',
        fieldPath: '.userAddress',
      },
      {
        rule: 'self.networks == oldSelf.networks',
        message: 'spec.networks is immutable',
        fieldPath: '.networks',
      },
      {
        rule: '!has(oldSelf.stopped) || !oldSelf.stopped || (has(self.stopped) && self.stopped)',
        message: 'a stopped recording cannot be restarted: create another one',
        fieldPath: '.stopped',
      },
      fixed('start'),
      fixed('end'),
    ),
  )
  .describe('The wallet to record, and the networks.');
export type RecordingSpec = z.infer<typeof recordingSpecSchema>;

/** waiting: not started, because the network is not running; recorded: complete. */
const recordedNetworkStates = ['waiting', ...recordingStates] as const;

const blockHashSchema = hashSchema.describe('Hash of a block.');

const recordedProgressSchema = z.object({
  network: nameSchema.describe('Name of the network.'),
  networkID: z.string().optional().describe('Id of the network.'),
  enclaveID: z.string().optional().describe('Id of the chain that is recorded.'),
  chainID: z.string().optional().describe('Chain id of the network.'),
  state: z.enum(recordedNetworkStates).optional().describe('State of the recording on this network.'),
  genesisHash: blockHashSchema.optional().describe('Hash of block 0. Read by 0.3 only.'),
  firstBlock: recordedNetworkSchema.shape.firstBlock.optional(),
  baseHash: blockHashSchema.optional().describe('Hash of the block before the first.'),
  lastBlock: z.int().min(0).optional().describe('Last processed block.'),
  lastHash: blockHashSchema.optional().describe('Hash of the last processed block.'),
  stopBlock: z.int().min(0).optional().describe('Head of the chain when the recording was stopped.'),
  transactions: z.int().min(0).optional().describe('Number of transactions captured.'),
  chunks: z.int().min(0).optional().describe('Number of chunks that contain them.'),
  message: z.string().max(1024).optional().describe('What interrupted the recording on this network.'),
});
export type RecordedProgress = z.infer<typeof recordedProgressSchema>;

export const recordingStatusSchema = z
  .object({
    state: z.enum(recordingStates).optional().describe('Recording state.'),
    message: z.string().max(1024).optional().describe('Human-readable reason for the state.'),
    startedAt: timeSchema.optional().describe('Start time.'),
    endedAt: timeSchema.optional().describe('End time.'),
    networks: z
      .array(recordedProgressSchema)
      .max(maxRecordedNetworks)
      .optional()
      .meta(listMap('network'))
      .describe('Progress on each network.'),
    transactions: z.int().min(0).optional().describe('Number of transactions captured on all networks.'),
    chunks: z.int().min(0).optional().describe('Number of chunks that contain the captured transactions.'),
    ...observedFields,
  })
  .describe('Observed state.');
export type RecordingStatus = z.infer<typeof recordingStatusSchema>;

/** The Recording custom resource. */
export interface RecordingResource extends NamespacedObject {
  kind: 'Recording';
  spec: RecordingSpec;
  status?: RecordingStatus;
}
