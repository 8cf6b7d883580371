import { networkRow } from '../../../apiserver/testing/tenantRow.ts';
import type { TestFeature } from '../../../test/feature.ts';

export const feature: TestFeature = {
  tenantRows: {
    readChain: (ids) => ({ ...networkRow(ids), body: { reads: [] } }),
    followBlocks: networkRow,
  },
};
