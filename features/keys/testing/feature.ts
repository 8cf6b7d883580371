import { reportStatus } from '../../../apiserver/testing/reportStatus.ts';
import { networkRow } from '../../../apiserver/testing/tenantRow.ts';
import type { TestFeature } from '../../../test/feature.ts';
import { rpcKeyType } from '../api/rpcKey.ts';

export const feature: TestFeature = {
  tenantRows: {
    listRpcKeys: networkRow,
    createRpcKey: (ids) => ({ ...networkRow(ids), body: { name: 'ci' } }),
    revokeRpcKey: ({ network }) => ({ params: { id: network, name: 'ci' } }),
  },
  walks: {
    async 'keys with names'({ post, remove, listed, chainOf }) {
      const path = `/v1alpha/networks/${chainOf()}/keys`;
      const names = async () => (await listed(path)).map(({ name }) => name);
      await post('createRpcKey', path, { name: 'walked' });
      expect(await names()).toContain('walked');
      await remove('revokeRpcKey', `${path}/walked`);
      expect(await names()).not.toContain('walked');
    },
  },
  operate: (kube) => [
    reportStatus(kube, rpcKeyType, ({ status }) => (status ? undefined : { state: 'Pending' })),
  ],
};
