import { z } from 'zod';
import {
  recordingQuerySchema,
  recordingSchema,
  recordingStartedSchema,
  recordingsSchema,
  startRecordingSchema,
  stopRecordingSchema,
} from '../rest/recording.ts';
import { replayDocumentSchema, replayRequestSchema, replayResponseSchema } from '../rest/replay.ts';
import {
  selectableOfSubmissions,
  submissionListSchema,
  submissionParams,
  submissionQuerySchema,
  submissionSchema,
  submissionStates,
} from '../rest/submission.ts';
import { healthSchema, submitRequestSchema, submitResponseSchema } from '../rest/transaction.ts';
import { selectableLabels } from '../userLabels.ts';
import { idParams, listQuerySchema, type Operation, replayBodyLimitBytes } from './operation.ts';

const recordings = '/v1alpha1/transaction/recording';
const readRecordings = { method: 'GET', api: 'transaction', permission: 'recordings:read' } as const;
const writeRecordings = { method: 'POST', api: 'transaction', permission: 'recordings:write' } as const;

export const transactionOperations = {
  getTransactionHealth: {
    method: 'GET',
    path: '/v1alpha1/transaction/health',
    api: 'transaction',
    summary: 'Health of the Transaction API',
    success: { status: 200, schema: healthSchema, description: 'Liveness and its checks.' },
    errors: [],
    permission: '',
  },
  submitTransactions: {
    method: 'POST',
    path: '/v1alpha1/transaction/submit',
    api: 'transaction',
    summary: 'Submit transactions to networks',
    description:
      'Transactions are signed with the default key of the caller. Networks are processed in parallel; order is kept within each. None of the transactions for a network is sent if one of them is invalid.',
    body: submitRequestSchema,
    success: {
      status: 202,
      schema: submitResponseSchema,
      description: 'Hashes of the accepted transactions.',
    },
    errors: [400],
    permission: 'transactions:write',
  },
  listSubmissions: {
    method: 'GET',
    path: '/v1alpha1/transaction/submissions',
    api: 'transaction',
    summary: 'List submitted transactions',
    description:
      'Lists the transactions of the workspace, newest first, as they were recorded. They are kept for about a day after they are settled.',
    query: listQuerySchema,
    listQuery: true,
    selectable: selectableOfSubmissions,
    selectableValues: { state: submissionStates },
    canWarn: true,
    success: { status: 200, schema: submissionListSchema, description: 'A page of submitted transactions.' },
    errors: [],
    permission: 'transactions:read',
  },
  getSubmission: {
    method: 'GET',
    path: '/v1alpha1/transaction/submissions/{hash}',
    api: 'transaction',
    summary: 'Get a submitted transaction',
    description:
      'The current state of the transaction. If the network is running, its node is asked. Does not wake a stopped network.',
    params: submissionParams,
    query: submissionQuerySchema,
    success: { status: 200, schema: submissionSchema, description: 'The transaction.' },
    errors: [404],
    permission: 'transactions:read',
  },
  startRecording: {
    ...writeRecordings,
    path: `${recordings}/start`,
    summary: 'Start a recording',
    body: startRecordingSchema,
    success: { status: 201, schema: recordingStartedSchema, description: 'The recording has started.' },
    errors: [400, 409],
  },
  stopRecording: {
    ...writeRecordings,
    path: `${recordings}/stop`,
    summary: 'Stop a recording',
    body: stopRecordingSchema,
    success: { status: 200, schema: recordingSchema, description: 'The recording.' },
    errors: [400, 404],
  },
  listRecordings: {
    ...readRecordings,
    path: `${recordings}/list-all`,
    summary: 'List recordings',
    query: recordingQuerySchema,
    selectable: ['metadata.name', selectableLabels],
    canWarn: true,
    success: { status: 200, schema: recordingsSchema, description: 'Recordings.' },
    errors: [],
  },
  getRecording: {
    ...readRecordings,
    path: `${recordings}/{id}`,
    summary: 'Get a recording',
    params: idParams,
    success: { status: 200, schema: recordingSchema, description: 'The recording with its data.' },
    errors: [404],
  },
  getRecordingDocument: {
    ...readRecordings,
    path: `${recordings}/{id}/document`,
    summary: 'Export a recording as a replay document',
    params: idParams,
    success: { status: 200, schema: replayDocumentSchema, description: 'The replay document.' },
    errors: [404],
  },
  deleteRecording: {
    ...writeRecordings,
    method: 'DELETE',
    path: `${recordings}/{id}`,
    summary: 'Delete a recording',
    description: 'Deletes the recording, in any state, with everything that it captured.',
    params: idParams,
    success: { status: 204, description: 'The recording is deleted.' },
    errors: [404],
  },
  listActiveRecordings: {
    ...readRecordings,
    path: `${recordings}/active/{userAddress}`,
    summary: 'List the active recordings of a wallet',
    params: z.object({ userAddress: z.string().min(1).max(253).describe('Wallet address.') }),
    canWarn: true,
    success: { status: 200, schema: recordingsSchema, description: 'Active recordings.' },
    errors: [],
  },
  replayRecording: {
    ...writeRecordings,
    path: `${recordings}/replay`,
    summary: 'Replay a recording or a document',
    body: replayRequestSchema,
    bodyLimitBytes: replayBodyLimitBytes,
    success: { status: 200, schema: replayResponseSchema, description: 'The outcome of each transaction.' },
    errors: [400, 404],
  },
} as const satisfies Record<string, Operation>;
