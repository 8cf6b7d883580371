import { networkRow } from '../../../apiserver/testing/tenantRow.ts';
import type { TestFeature } from '../../../test/feature.ts';

export const feature: TestFeature = {
  tenantRows: {
    getNetworkCalls: networkRow,
    switchNetworkCalls: (ids) => ({ ...networkRow(ids), body: { enabled: true } }),
  },
  walks: {
    async 'whether calls are kept'({ write, read, chainOf }) {
      const path = `/v1alpha/networks/${chainOf()}/calls`;
      for (const enabled of [true, false]) {
        await write('switchNetworkCalls', path, { body: { enabled } });
        expect((await read(path)).enabled).toBe(enabled);
      }
    },
  },
};
