import { networkRow, none } from '../../../apiserver/testing/tenantRow.ts';
import type { TestFeature } from '../../../test/feature.ts';

export const feature: TestFeature = {
  tenantRows: {
    readChain: (ids) => ({ ...networkRow(ids), body: { reads: [] } }),
    followBlocks: networkRow,
    listContracts: networkRow,
    listWorkspaceContracts: none,
  },
  sdk: {
    async contracts(client, { id }) {
      expect((await client.contracts.list(id)).items).toEqual([]);
      expect((await client.contracts.listOfWorkspace({ name: 'none' })).items).toEqual([]);
    },
  },
};
