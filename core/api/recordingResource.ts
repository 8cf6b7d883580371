import { z } from 'zod';
import { listMap, listSet, withRules } from './cel.ts';
import { nameSchema, observedFields, timeSchema } from './common.ts';
import type { KubeObject } from './kubeObject.ts';
import { maxRecordedNetworks, recordingStates, startRecordingSchema } from './recording.ts';
import { recordedNetworkSchema } from './replay.ts';

export const recordingSpecSchema = z
  .strictObject({
    userAddress: startRecordingSchema.shape.userAddress,
    networks: z
      .array(nameSchema)
      .min(1)
      .max(maxRecordedNetworks)
      .meta(listSet)
      .describe('Names of Networks of the same workspace.'),
    stopped: z.boolean().optional().describe('true stops the recording, for good.'),
  })
  .meta(
    withRules(
      {
        rule: 'self.userAddress == oldSelf.userAddress',
        message: 'spec.userAddress never changes',
        fieldPath: '.userAddress',
      },
      {
        rule: 'self.networks == oldSelf.networks',
        message: 'spec.networks never changes',
        fieldPath: '.networks',
      },
      {
        rule: '!has(oldSelf.stopped) || !oldSelf.stopped || (has(self.stopped) && self.stopped)',
        message: 'a stopped recording does not start again: create another one',
        fieldPath: '.stopped',
      },
    ),
  )
  .describe('Whose transactions to record, and where.');
export type RecordingSpec = z.infer<typeof recordingSpecSchema>;

const recordedProgressSchema = z.object({
  network: nameSchema.describe('Name of the network.'),
  networkID: z.string().optional().describe('Id of the network.'),
  chainID: z.string().optional().describe('Chain id of the network.'),
  firstBlock: recordedNetworkSchema.shape.firstBlock.optional(),
  lastBlock: recordedNetworkSchema.shape.lastBlock.optional(),
  transactions: z.int().min(0).optional().describe('Number of transactions captured.'),
  message: z.string().max(1024).optional().describe('What interrupted the recording on this network.'),
});

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
    chunks: z.int().min(0).optional().describe('Number of objects that hold the captured transactions.'),
    ...observedFields,
  })
  .describe('What is there.');
export type RecordingStatus = z.infer<typeof recordingStatusSchema>;

/** The Recording custom resource. */
export interface RecordingResource extends KubeObject {
  kind: 'Recording';
  spec: RecordingSpec;
  status?: RecordingStatus;
}
