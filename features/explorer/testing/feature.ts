import type { TestFeature } from '../../../apiserver/testing/feature.ts';
import { networkRow } from '../../../apiserver/testing/tenantRow.ts';

export const feature: TestFeature = {
  tenantRows: {
    readChain: (ids) => ({ ...networkRow(ids), body: { reads: [] } }),
    followBlocks: networkRow,
  },
};
