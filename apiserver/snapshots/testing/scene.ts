import type { NetworkSpec } from '../../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { networkType, snapshotType } from '../../../core/api/resources/resources.ts';
import type { SnapshotStatus } from '../../../core/api/resources/snapshot.ts';
import { aNetwork, aSnapshot } from '../../../core/api/testing/builders.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { startTestApi, type TestApi } from '../../testing/harness.ts';
import { reportStatus, tenants } from '../../testing/reportStatus.ts';

const namespace = 'ws-one';

export const privateKeyRef = { name: 'hot-key' };
export const running: NetworkStatus = {
  state: 'Operational',
  enclaveID: 'e-1',
  chainID: '31337',
  observedMaintenanceNonce: 4,
};

export function readyOf(networkID: string, more: SnapshotStatus = {}): SnapshotStatus {
  return {
    state: 'Ready',
    networkID,
    chainType: 'Ethereum',
    chainID: '31337',
    enclaveID: 'e-1',
    block: 12,
    bytes: 1000,
    parts: 1,
    digest: 'd1',
    message: 'block 12, 1000 bytes',
    ...more,
  };
}

export const pathOf = (id: string, rest = '') => `/v1alpha/networks/${id}/snapshots${rest}`;

/** An API server of each test, with an operator that reports an outcome for each new snapshot. */
export function createScene() {
  let kube: ReturnType<typeof createFakeKube>;
  let api: TestApi;
  let stopOperator: () => Promise<void>;
  let outcome: SnapshotStatus;
  beforeEach(async () => {
    kube = createFakeKube();
    api = await startTestApi({ kube, users: tenants });
    outcome = readyOf('net-uid');
    stopOperator = reportStatus(kube, snapshotType, ({ status }) => (status ? undefined : outcome));
  });
  afterEach(async () => {
    await stopOperator();
    await api.close();
  });
  return {
    get api() {
      return api;
    },
    get kube() {
      return kube;
    },
    set outcome(next: SnapshotStatus) {
      outcome = next;
    },
    seedNetwork(name: string, status: NetworkStatus = running, spec: Partial<NetworkSpec> = {}): string {
      const { uid } = kube.seed(networkType, aNetwork({ name, namespace, status, spec })).metadata;
      outcome = { ...outcome, networkID: uid };
      return uid;
    },
    seedSnapshot: (name: string, status: SnapshotStatus) =>
      kube.seed(snapshotType, aSnapshot({ name, namespace, spec: { network: 'net' }, status })).metadata.uid,
    stored: async () => (await kube.list(snapshotType, { namespace })).items,
  };
}
