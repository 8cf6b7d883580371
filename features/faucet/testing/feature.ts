import { Wallet } from 'ethers';
import { networkRow } from '../../../apiserver/testing/tenantRow.ts';
import { there } from '../../../apiserver/testing/walk.ts';
import { testAddress } from '../../../core/api/testing/builders.ts';
import type { TestFeature } from '../../../test/feature.ts';

const submissions = '/transaction/v1alpha1/transaction/submissions';

export const feature: TestFeature = {
  tenantRows: { requestFunds: (ids) => ({ ...networkRow(ids), body: { address: testAddress } }) },
  walks: {
    async 'transactions, asked of the faucet'({ post, statusAt, listed, chainOf }) {
      const gift = { address: Wallet.createRandom().address, amount: '5' };
      const { json } = await post('requestFunds', `/v1alpha/networks/${chainOf()}/faucet`, gift);
      const [hash] = json.txHashes;
      const isListed = (await listed(submissions)).some((one) => one.hash === hash);
      expect([await statusAt(`${submissions}/${hash}`), isListed]).toEqual(there);
    },
  },
};
