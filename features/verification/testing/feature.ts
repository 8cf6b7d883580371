import { testAddress } from '../../../core/api/testing/builders.ts';
import type { TestFeature } from '../../../test/feature.ts';

export const feature: TestFeature = {
  tenantRows: {
    getContract: ({ network }) => ({ params: { id: network, address: testAddress } }),
  },
  sdk: {
    async contracts(client, { id }) {
      const getting = client.contracts.get({ id, address: testAddress });
      await expect(getting).rejects.toMatchObject({ status: 404 });
    },
  },
};
