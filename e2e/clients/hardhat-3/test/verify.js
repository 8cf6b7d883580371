import { verifyContract } from '@nomicfoundation/hardhat-verify/verify';
import { expect } from 'chai';
import hre from 'hardhat';

const { VERIFY_URL, CHAIN_ID } = process.env;

describe('hardhat-verify', () => {
  for (const [first, provider] of ['sourcify', 'blockscout', 'etherscan'].entries()) {
    it(`verifies as with ${provider}`, async () => {
      const { ethers } = await hre.network.create();
      const counter = await ethers.deployContract('Counter', [first]);
      const { hash } = await counter.deploymentTransaction().wait();
      const address = await counter.getAddress();
      const stored = () =>
        fetch(`${VERIFY_URL}/v2/contract/${CHAIN_ID}/${address}`).then((one) => one.json());
      expect((await stored()).match).to.equal(null);
      const creation = provider === 'sourcify' ? { creationTxHash: hash } : {};
      await verifyContract({ address, constructorArgs: [first], provider, ...creation }, hre);
      const { match, creationMatch, verifiedAt } = await stored();
      expect([match, creationMatch]).to.deep.equal([
        'exact_match',
        provider === 'sourcify' ? 'exact_match' : null,
      ]);
      // It finds the contract verified, and does not submit it again.
      await verifyContract({ address, constructorArgs: [first], provider }, hre);
      expect((await stored()).verifiedAt).to.equal(verifiedAt);
    });
  }
});
