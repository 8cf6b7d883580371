import { type Ids, networkRow, none } from '../../../apiserver/testing/tenantRow.ts';
import { testAddress } from '../../../core/api/testing/builders.ts';
import type { TestFeature } from '../../../test/feature.ts';

const accountRow = ({ network }: Ids) => ({ params: { id: network, address: testAddress } });

export const feature: TestFeature = {
  tenantRows: {
    readChain: (ids) => ({ ...networkRow(ids), body: { reads: [] } }),
    followBlocks: networkRow,
    listAccountTransactions: accountRow,
    listTokenTransfers: accountRow,
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
