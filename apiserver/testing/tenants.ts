import { type OperationId, operationOf } from '../../core/api/operations/operations.ts';
import { deployEndpoints } from '../../core/api/rules/tokenArgs.ts';
import { aDeployBody, aNetwork, aTransactionItem, testAddress } from '../../core/api/testing/builders.ts';
import { neededArgsOf } from '../../core/api/testing/deployBodies.ts';
import { compact } from '../../core/lib/compact.ts';
import { merged, recordOf } from '../../core/lib/typed.ts';
import { features } from '../../test/features.ts';
import { type Ids, networkRow, none, type Row, workspaceRow } from './tenantRow.ts';

const kindsOfFeatures = features.flatMap(({ objects = {} }) => Object.keys(objects));

/** Well-formed ids that do not exist, for each kind. */
export const unknownIds: Ids = {
  network: '00000000-0000-4000-8000-000000000000',
  secret: '00000000-0000-4000-8000-000000000001',
  token: '00000000-0000-4000-8000-000000000002',
  recording: '00000000-0000-4000-8000-000000000003',
  snapshot: '00000000-0000-4000-8000-000000000004',
  workspace: `w${'0'.repeat(24)}`,
  user: `u${'0'.repeat(24)}`,
  invitation: `i${'0'.repeat(24)}`,
  key: `k${'0'.repeat(24)}`,
  ...Object.fromEntries(
    kindsOfFeatures.map((kind, index) => [kind, `00000000-0000-4000-8000-00000000010${index}`]),
  ),
};

const secretRow = ({ secret }: Ids) => ({ params: { id: secret } });
const snapshotRow = ({ snapshot }: Ids) => ({ params: { id: snapshot } });
const networkSnapshotRow = ({ network, snapshot }: Ids) => ({
  params: { id: network, snapshotId: snapshot },
});
const recordingRow = ({ recording }: Ids) => ({ params: { id: recording } });
const tokenRow = ({ token }: Ids) => ({ params: { token_id: token } });
const deploymentRow = ({ token, network }: Ids) => ({ params: { token_id: token, network_id: network } });
const deployRow =
  (args: object = {}) =>
  ({ network }: Ids) => {
    const body = aDeployBody({ ...args });
    return {
      body: { ...body, deployments: body.deployments.map((one) => ({ ...one, network_id: network })) },
    };
  };

/** How each operation refers to objects; every operation must have a row. */
export const tenantRows: Readonly<Record<string, Row>> = {
  ...merged(features.map((feature) => feature.tenantRows)),
  listNetworks: none,
  listChainTypes: none,
  createNetwork: none,
  getNetwork: networkRow,
  replaceNetwork: (ids) => ({ ...networkRow(ids), body: { spec: aNetwork().spec } }),
  deleteNetwork: networkRow,
  rotateNetworkKeys: (ids) => ({ ...networkRow(ids), body: {} }),
  getNetworkLogs: networkRow,
  listNetworkAccounts: networkRow,
  getNetworkAccountKey: ({ network }) => ({ params: { id: network, address: testAddress } }),
  stopNetwork: networkRow,
  wakeNetwork: networkRow,
  getNetworkEndpoints: networkRow,
  streamEvents: none,
  listSnapshots: none,
  getSnapshot: snapshotRow,
  deleteSnapshot: snapshotRow,
  listNetworkSnapshots: networkRow,
  createNetworkSnapshot: (ids) => ({ ...networkRow(ids), body: {} }),
  getNetworkSnapshot: networkSnapshotRow,
  deleteNetworkSnapshot: networkSnapshotRow,
  revertNetwork: networkSnapshotRow,
  listSecrets: none,
  createSecret: none,
  getSecret: secretRow,
  deleteSecret: secretRow,
  acceptInvitation: none,
  lookUpInvitation: none,
  getMe: none,
  listPermissions: none,
  getTransactionHealth: none,
  listActiveRecordings: none,
  listSubmissions: none,
  // Identified by its hash: see apiserver/transactions/read.test.ts.
  getSubmission: none,
  listRecordings: none,
  replayRecording: ({ recording }) => ({ body: { recordingId: recording } }),
  startRecording: ({ network }) => ({ body: { userAddress: testAddress, networkIds: [network] } }),
  stopRecording: ({ recording }) => ({ body: { recordingId: recording } }),
  getRecording: recordingRow,
  getRecordingDocument: recordingRow,
  deleteRecording: recordingRow,
  submitTransactions: ({ network }) => ({
    body: { transactions_by_network: { [network]: [aTransactionItem()] } },
  }),
  listTokens: none,
  listTokenTypes: none,
  ...recordOf(deployEndpoints.map(({ operationId, type }) => [operationId, deployRow(neededArgsOf(type))])),
  getToken: tokenRow,
  deleteToken: tokenRow,
  addDeployments: (ids) => ({
    ...tokenRow(ids),
    body: { networks: [ids.network], args: { total_supply: '1' } },
  }),
  listDeployments: tokenRow,
  getDeployment: deploymentRow,
  deleteDeployment: deploymentRow,
  listWorkspaces: none,
  createWorkspace: none,
  getWorkspace: workspaceRow,
  replaceWorkspace: (ids) => ({ ...workspaceRow(ids), body: { name: 'mine' } }),
  deleteWorkspace: workspaceRow,
  listApiKeys: workspaceRow,
  createApiKey: (ids) => ({ ...workspaceRow(ids), body: { name: 'k', role: 'viewer' } }),
  deleteApiKey: ({ workspace, key }) => ({ params: { id: workspace, keyId: key } }),
  listInvitations: workspaceRow,
  createInvitation: (ids) => ({
    ...workspaceRow(ids),
    body: { email: 'eve@example.com', role: 'viewer' },
  }),
  deleteInvitation: ({ workspace, invitation }) => ({
    params: { id: workspace, invitationId: invitation },
  }),
  resendInvitation: ({ workspace, invitation }) => ({
    params: { id: workspace, invitationId: invitation },
  }),
  listMemberships: workspaceRow,
  replaceMembership: ({ workspace, user }) => ({
    params: { id: workspace, userId: user },
    body: { role: 'viewer' },
  }),
  deleteMembership: ({ workspace, user }) => ({ params: { id: workspace, userId: user } }),
};

/** The request of an operation for the objects of `ids`; undefined if it refers to none. */
export function probeOf(id: OperationId, ids: Ids) {
  const row = tenantRows[id];
  if (row === undefined || row === none) return undefined;
  const { params = {}, body } = row(ids);
  const { method, path, api } = operationOf(id);
  const prefix = api === 'secret' ? '/network' : `/${api}`;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '');
  return { method, path: prefix + filled, ...compact({ body }) };
}
