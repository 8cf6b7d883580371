import { networkRow } from '../../../apiserver/testing/tenantRow.ts';
import type { TestFeature } from '../../../test/feature.ts';

export const feature: TestFeature = {
  tenantRows: {
    getNetworkCalls: networkRow,
    switchNetworkCalls: (ids) => ({ ...networkRow(ids), body: { enabled: true } }),
  },
};
