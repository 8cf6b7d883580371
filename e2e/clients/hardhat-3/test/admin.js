import { expect } from 'chai';
import { JsonRpcProvider, JsonRpcSigner } from 'ethers';
import { network } from 'hardhat';

const { ethers, networkHelpers } = await network.create();

describe('on the admin URL', () => {
  async function deployCounter() {
    const counter = await ethers.deployContract('Counter', [1]);
    await counter.waitForDeployment();
    return { counter };
  }

  it('changes the chain of a fixture', async () => {
    const { counter } = await networkHelpers.loadFixture(deployCounter);
    await (await counter.increment()).wait();
    expect(await counter.number()).to.equal(2n);
  });

  it('has the fixture as it was', async () => {
    const { counter } = await networkHelpers.loadFixture(deployCounter);
    expect(await counter.number()).to.equal(1n);
  });

  it('mines exactly the blocks that it is told to, and sets the clock', async () => {
    const { time } = networkHelpers;
    const before = await time.latestBlock();
    await networkHelpers.mine(5);
    expect(await time.latestBlock()).to.equal(before + 5);
    const next = (await time.latest()) + 3600;
    await time.increaseTo(next);
    expect(await time.latest()).to.equal(next);
  });

  it('acts for an account without its key', async () => {
    const { counter } = await networkHelpers.loadFixture(deployCounter);
    const address = '0x00000000000000000000000000000000000000A5';
    await networkHelpers.setBalance(address, 10n ** 18n);
    await networkHelpers.impersonateAccount(address);
    // Hardhat itself signs only for the accounts of its configuration.
    const signer = new JsonRpcSigner(new JsonRpcProvider(process.env.ADMIN_URL), address);
    await (await counter.connect(signer).increment()).wait();
    const [event] = await counter.queryFilter(counter.filters.Counted(address));
    expect(event?.args.number).to.equal(2n);
    await networkHelpers.stopImpersonatingAccount(address);
  });
});
