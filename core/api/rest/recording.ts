import { z } from 'zod';
import { labelMetaSchema, nameSchema, selectorSchema, timeSchema } from '../common.ts';
import { addressSchema, idSchema, ownedAddressSchema } from '../values.ts';
import { recordedNetworksSchema } from './replay.ts';

export const recordingStates = ['recording', 'recorded'] as const;
export type RecordingState = (typeof recordingStates)[number];

/** Maximum number of networks in one recording. */
export const maxRecordedNetworks = 64;

const networkProgressSchema = z.object({
  network_id: z.string().describe('Id of the network.'),
  state: z.string().describe('waiting, recording or recorded.'),
  first_block: z.int().min(0).optional().describe('First processed block.'),
  last_block: z.int().min(0).optional().describe('Last processed block.'),
  transactions: z.int().min(0).describe('Number of transactions captured.'),
  message: z.string().optional().describe('What interrupted the recording on this network.'),
});

/** The Recording as REST returns it. */
export const recordingSchema = z
  .object({
    kind: z.literal('Recording').optional(),
    version: z.literal('v1alpha1').optional(),
    id: z.string().describe('Unique id.'),
    name: z.string().optional().describe('Name in the workspace; generated when none was given.'),
    user_address: addressSchema.describe('Wallet whose transactions are recorded.'),
    network_ids: z.array(z.string()).describe('Networks being recorded.'),
    start_timestamp: timeSchema.optional().describe('Start time.'),
    end_timestamp: timeSchema.optional().describe('End time.'),
    state: z.enum(recordingStates).describe('Recording state.'),
    message: z.string().optional().describe('Human-readable reason for the state.'),
    networks: z.array(networkProgressSchema).optional().describe('Progress on each network.'),
    recorded_data: z
      .object({ networks: recordedNetworksSchema })
      .optional()
      .describe('Recorded transactions by network; not included in lists.'),
    metadata: labelMetaSchema.optional(),
    created_at: timeSchema.optional().describe('Creation time.'),
  })
  .describe('A recording of the transactions of a wallet.');
export type Recording = z.infer<typeof recordingSchema>;

export const recordingsSchema = z.array(recordingSchema).describe('Recordings, newest first.');

export const startRecordingSchema = z
  .strictObject({
    name: nameSchema.optional().describe('Name of the recording in the workspace. Generated when omitted.'),
    userAddress: ownedAddressSchema.describe('Wallet whose transactions are recorded.'),
    networkIds: z
      .array(idSchema)
      .min(1)
      .max(maxRecordedNetworks)
      .refine((ids) => new Set(ids).size === ids.length, 'must not contain a network twice')
      .describe('Networks to record.'),
    metadata: labelMetaSchema.optional(),
  })
  .describe('What to record.');

export const recordingStartedSchema = z
  .object({
    recordingId: z.string().describe('Id of the new recording.'),
    message: z.string().describe('Human-readable state of the recording.'),
  })
  .describe('A started recording.');

export const stopRecordingSchema = z
  .strictObject({ recordingId: idSchema.describe('Recording to stop.') })
  .describe('The recording to stop.');

export const recordingQuerySchema = z.strictObject({
  userAddress: z.string().max(253).optional().describe('Only recordings of this wallet.'),
  state: z.enum(recordingStates).optional().describe('Only recordings in this state.'),
  networkId: idSchema.optional().describe('Only recordings that cover this network.'),
  selector: selectorSchema.optional(),
});
