import { featureResources } from '../../core/api/features.ts';
import { age, type Definition, text } from '../../core/api/resources/definition.ts';
import { journalSpecSchema } from '../../core/api/resources/journal.ts';
import { networkSpecSchema } from '../../core/api/resources/network.ts';
import { networkStatusSchema } from '../../core/api/resources/networkStatus.ts';
import { outboxSpecSchema, outboxStatusSchema } from '../../core/api/resources/outbox.ts';
import { recordingChunkSpecSchema } from '../../core/api/resources/recordingChunk.ts';
import { recordingSpecSchema, recordingStatusSchema } from '../../core/api/resources/recordingResource.ts';
import { keyEpochsSpecSchema } from '../../core/api/resources/records/keyEpochs.ts';
import { usageRecordStatusSchema } from '../../core/api/resources/records/storedBytes.ts';
import { usageRecordSpecSchema } from '../../core/api/resources/records/usageRecord.ts';
import { replaySpecSchema } from '../../core/api/resources/replayResource.ts';
import {
  journalType,
  keyEpochsType,
  networkType,
  outboxType,
  recordingChunkType,
  recordingType,
  replayType,
  secretType,
  snapshotType,
  tokenType,
  usageRecordType,
} from '../../core/api/resources/resources.ts';
import { secretSpecSchema } from '../../core/api/resources/secret.ts';
import { snapshotSpecSchema, snapshotStatusSchema } from '../../core/api/resources/snapshot.ts';
import { tokenSpecSchema, tokenStatusSchema } from '../../core/api/resources/tokenResource.ts';
import { accountDefinitions } from './accountDefinitions.ts';

export const definitions: Definition[] = [
  {
    type: networkType,
    description: 'A blockchain network that Slipway builds, runs and stops.',
    shortName: 'bnet',
    spec: networkSpecSchema,
    status: networkStatusSchema,
    columns: [
      text('Type', '.spec.chain.type', 'Chain type.'),
      text('State', '.status.state', 'Network state.'),
      text('Reason', '.status.reason', 'Why it is in that state, in one word.'),
      text('Chain-ID', '.status.chainID', 'Chain id in use.'),
      {
        name: 'Step',
        type: 'integer',
        jsonPath: '.status.execution.currentStep',
        description: 'Step in progress.',
      },
      {
        name: 'Persistent',
        type: 'boolean',
        jsonPath: '.spec.persistent',
        description: 'Never stopped when idle.',
      },
      age,
      { ...text('Message', '.status.message', 'Reason for the state.'), priority: 1 },
    ],
    selectable: ['.status.state', '.spec.chain.type', '.spec.persistent'],
  },
  {
    type: secretType,
    description: 'A small piece of secret data, sealed before it is stored.',
    shortName: 'bsec',
    spec: secretSpecSchema,
    columns: [text('Type', '.spec.type', 'How to interpret the data.'), age],
    selectable: ['.spec.type'],
  },
  {
    type: tokenType,
    description: 'A token and the networks that it is deployed on.',
    shortName: 'btok',
    spec: tokenSpecSchema,
    status: tokenStatusSchema,
    columns: [
      text('Type', '.spec.type', 'Token standard.'),
      text('Symbol', '.spec.symbol', 'Token symbol.'),
      text('Deployed', '.status.deployed', 'Deployed and desired.'),
      age,
    ],
    selectable: ['.spec.type', '.spec.name', '.spec.symbol'],
  },
  {
    type: snapshotType,
    description: 'The state of a network at one block, to return to or to begin other networks from.',
    shortName: 'bsnap',
    spec: snapshotSpecSchema,
    status: snapshotStatusSchema,
    columns: [
      text('Network', '.spec.network', 'Name of the network.'),
      text('State', '.status.state', 'Snapshot state.'),
      { name: 'Block', type: 'integer', jsonPath: '.status.block', description: 'Its last block.' },
      { name: 'Bytes', type: 'integer', jsonPath: '.status.bytes', description: 'Stored size.' },
      age,
      { ...text('Message', '.status.message', 'Reason for the state.'), priority: 1 },
    ],
    selectable: ['.status.state', '.spec.network'],
  },
  {
    type: recordingType,
    description: 'A recording of the transactions of a wallet on some networks.',
    shortName: 'brec',
    spec: recordingSpecSchema,
    status: recordingStatusSchema,
    columns: [
      text('State', '.status.state', 'Recording state.'),
      text('Address', '.spec.userAddress', 'Wallet whose transactions are recorded.'),
      {
        name: 'Transactions',
        type: 'integer',
        jsonPath: '.status.transactions',
        description: 'Transactions captured.',
      },
      age,
      { ...text('Message', '.status.message', 'Reason for the state.'), priority: 1 },
    ],
    selectable: ['.status.state', '.spec.userAddress'],
  },
  {
    type: recordingChunkType,
    description: 'A part of what a Recording captured on one network. Written only by the operator.',
    shortName: 'brch',
    category: 'slipway-internal',
    spec: recordingChunkSpecSchema,
    columns: [
      text('Recording', '.spec.recording', 'Name of the recording.'),
      text('Network', '.spec.network', 'Name of the network.'),
      { name: 'Index', type: 'integer', jsonPath: '.spec.index', description: 'Position.' },
      { name: 'Total', type: 'integer', jsonPath: '.spec.total', description: 'Transactions so far.' },
      age,
    ],
    selectable: ['.spec.recording'],
  },
  {
    type: replayType,
    description: 'A replay, its progress and its outcome. Written only by the service.',
    shortName: 'brep',
    category: 'slipway-internal',
    spec: replaySpecSchema,
    columns: [text('Role', '.spec.role', 'run, source or rows.'), age],
    selectable: [],
  },
  {
    type: outboxType,
    description: 'Signed transactions, stored before they are sent. Written only by the service.',
    shortName: 'bout',
    category: 'slipway-internal',
    spec: outboxSpecSchema,
    status: outboxStatusSchema,
    columns: [
      text('Role', '.spec.role', 'Kind of content.'),
      text('Signer', '.spec.signer', 'Address of the signer.'),
      {
        name: 'Next',
        type: 'integer',
        jsonPath: '.spec.next',
        description: 'First free nonce.',
      },
      {
        name: 'Open',
        type: 'integer',
        jsonPath: '.status.open',
        description: 'Transactions that are not settled.',
      },
      age,
      { ...text('Message', '.status.message', 'What keeps transactions from being mined.'), priority: 1 },
    ],
    selectable: [],
  },
  {
    type: journalType,
    description:
      'What was deployed on a network, or delivered to it, step by step. Written only by the operator.',
    shortName: 'bjou',
    category: 'slipway-internal',
    spec: journalSpecSchema,
    columns: [text('Scope', '.spec.scope', 'Token or network that it belongs to.'), age],
    selectable: [],
  },
  {
    type: usageRecordType,
    description: 'What a workspace used, by day. Written only by the service.',
    shortName: 'buse',
    category: 'slipway-internal',
    spec: usageRecordSpecSchema,
    status: usageRecordStatusSchema,
    columns: [age],
    selectable: [],
  },
  {
    type: keyEpochsType,
    description: 'Access keys of networks that were rotated. Written only by the operator.',
    shortName: 'bkep',
    category: 'slipway-internal',
    spec: keyEpochsSpecSchema,
    columns: [age],
    selectable: [],
  },
  ...accountDefinitions,
  ...featureResources,
];
