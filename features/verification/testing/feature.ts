import { networkRow } from '../../../apiserver/testing/tenantRow.ts';
import { testAddress } from '../../../core/api/testing/builders.ts';
import type { TestFeature } from '../../../test/feature.ts';

export const feature: TestFeature = {
  tenantRows: {
    listContracts: networkRow,
    getContract: ({ network }) => ({ params: { id: network, address: testAddress } }),
  },
  sdk: {
    async contracts(client, { id }) {
      expect((await client.contracts.list(id)).items).toEqual([]);
      const getting = client.contracts.get({ id, address: testAddress });
      await expect(getting).rejects.toMatchObject({ status: 404 });
    },
  },
};
