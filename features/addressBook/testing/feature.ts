import { none } from '../../../apiserver/testing/tenantRow.ts';
import { testAddress } from '../../../core/api/testing/builders.ts';
import type { TestFeature } from '../../../test/feature.ts';

export const feature: TestFeature = {
  tenantRows: { listAddresses: none, setAddress: none, removeAddress: none },
  // Addresses: each workspace has a book of its own.
  namesOthers: ['setAddress', 'removeAddress'],
  walks: {
    async 'the address book'({ write, remove, listed }) {
      const path = '/v1alpha/addresses';
      const own = `${path}/${testAddress}`;
      const names = async () => (await listed(path)).map(({ name }) => name);
      await write('setAddress', own, { body: { name: 'walked' } });
      expect(await names()).toContain('walked');
      await write('setAddress', own, { body: { name: 'renamed' } });
      expect(await names()).toEqual(expect.arrayContaining(['renamed']));
      await remove('removeAddress', own);
      expect(await names()).not.toContain('renamed');
    },
  },
  sdk: {
    async addresses(client) {
      await client.addresses.set(testAddress, { name: 'treasury' });
      expect((await client.addresses.list()).items).toMatchObject([{ name: 'treasury' }]);
      await client.addresses.remove(testAddress);
    },
  },
};
