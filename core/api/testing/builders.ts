/** Valid objects for tests: specify only what the test needs. */

import { compact } from '../../lib/compact.ts';
import { apiVersion, labels } from '../names.ts';
import type { KubeMeta, NamespacedMeta } from '../resources/kubeObject.ts';
import type { NetworkInput, NetworkResource, NetworkSpec } from '../resources/network.ts';
import type { NetworkStatus } from '../resources/networkStatus.ts';
import type { RecordingResource, RecordingSpec, RecordingStatus } from '../resources/recordingResource.ts';
import type { SecretInput, SecretResource, SecretSpec } from '../resources/secret.ts';
import type { SnapshotResource, SnapshotStatus } from '../resources/snapshot.ts';
import type { TokenResource, TokenSpec, TokenStatus } from '../resources/tokenResource.ts';
import type { TransactionItem } from '../rest/transaction.ts';

const testNamespace = 'slipway-test';
const testWorkspace = 'test';
const testOwner = 'user-1';

/** The address of a publicly known key; it never holds real funds. */
export const testAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const testContract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

export interface ResourceOptions<Spec, Status = never> {
  name?: string;
  namespace?: string;
  metadata?: Partial<KubeMeta>;
  spec?: Partial<Spec>;
  status?: Status;
}

/** A Network of type Ethereum whose hot key is the secret `hot-key`. */
export function aNetwork(options: ResourceOptions<NetworkSpec, NetworkStatus> = {}): NetworkResource {
  const spec: NetworkSpec = {
    chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' } } },
    ...options.spec,
  };
  return { apiVersion, kind: 'Network', metadata: metaOf('my-network', options), spec, ...statusOf(options) };
}

/** A Secret `hot-key` with 32 bytes. */
export function aSecret(options: ResourceOptions<SecretSpec> = {}): SecretResource {
  const spec: SecretSpec = { type: 'private-key', data: testKeyData, ...options.spec };
  return { apiVersion, kind: 'Secret', metadata: metaOf('hot-key', options), spec };
}

/** An ERC20 Token on the network `my-network`. */
export function aToken(options: ResourceOptions<TokenSpec, TokenStatus> = {}): TokenResource {
  const spec: TokenSpec = {
    name: 'Example',
    symbol: 'EXM',
    decimals: 18,
    type: 'ERC20',
    deployments: [{ network: 'my-network', args: { total_supply: '1000000' } }],
    ...options.spec,
  };
  return { apiVersion, kind: 'Token', metadata: metaOf('my-token', options), spec, ...statusOf(options) };
}

/** A Snapshot of the network `my-network`. */
export function aSnapshot(
  options: ResourceOptions<SnapshotResource['spec'], SnapshotStatus> = {},
): SnapshotResource {
  const spec = { network: 'my-network', ...options.spec };
  return {
    apiVersion,
    kind: 'Snapshot',
    metadata: metaOf('my-snapshot', options),
    spec,
    ...statusOf(options),
  };
}

/** A Recording on the network `my-network`. */
export function aRecording(options: ResourceOptions<RecordingSpec, RecordingStatus> = {}): RecordingResource {
  const spec: RecordingSpec = { userAddress: testAddress, networks: ['my-network'], ...options.spec };
  const metadata = metaOf('my-recording', options);
  return { apiVersion, kind: 'Recording', metadata, spec, ...statusOf(options) };
}

/** A body of POST /v1alpha/networks. */
export function aNetworkInput(overrides: Partial<NetworkInput> = {}): NetworkInput {
  return { name: 'my-network', spec: aNetwork().spec, ...overrides };
}

/** A body of POST /v1alpha/secrets. */
export function aSecretInput(overrides: Partial<SecretInput> = {}): SecretInput {
  return { name: 'hot-key', type: 'private-key', data: testKeyData, ...overrides };
}

/** A transfer with value 0. */
export function aTransactionItem(overrides: Partial<TransactionItem> = {}): TransactionItem {
  return { from: testAddress, to: testContract, value: '0', data: '0x', ...overrides };
}

interface DeployBody {
  name: string;
  symbol: string;
  deployments: { network_id: string; args: Record<string, unknown> }[];
}

/** A body of a deploy endpoint; `args` are added to the total supply. */
export function aDeployBody(args: Record<string, unknown> = {}): DeployBody {
  const entry = { network_id: 'network-1', args: { total_supply: '1000000', ...args } };
  return { name: 'Example', symbol: 'EXM', deployments: [entry] };
}

const testKeyData = Buffer.alloc(32, 7).toString('base64');

export function metaOf(defaultName: string, options: ResourceOptions<unknown, unknown>): NamespacedMeta {
  const { name = defaultName, namespace = testNamespace, metadata } = options;
  return {
    name,
    namespace,
    uid: `uid-${namespace}-${name}`,
    generation: 1,
    creationTimestamp: '2026-01-15T09:30:00Z',
    labels: { [labels.workspace]: testWorkspace, [labels.owner]: testOwner },
    ...metadata,
  };
}

/** Omits an undefined status. */
export function statusOf<Status>({ status }: ResourceOptions<unknown, Status>): { status: Status } | object {
  return compact({ status });
}
