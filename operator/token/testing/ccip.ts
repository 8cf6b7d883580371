import { AbiCoder, Contract, JsonRpcProvider } from 'ethers';
import type { DeploymentStatus, TokenResource } from '../../../core/api/resources/tokenResource.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import type { ChainScene, SceneNetwork } from '../../../core/outbox/testing/scene.ts';
import { deploymentOn } from './operator.ts';

const nobody = `0x${'0'.repeat(40)}`;
const erc20 = [
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function approve(address, uint256) returns (bool)',
];
const router = [
  'function ccipSend(uint64, (bytes receiver, bytes data, (address token, uint256 amount)[] tokenAmounts, address feeToken, bytes extraArgs)) payable returns (bytes32)',
];
const arrivalMs = 60_000;

/** What a user of a token does with ethers. */
export function asUser({ wallet }: ChainScene, receiver: string) {
  const on = (token: TokenResource, network: SceneNetwork): DeploymentStatus => {
    const found = deploymentOn(token.status?.deployments, network.name);
    if (!found) throw new Error(`no deployment on ${network.name}`);
    return found;
  };
  const walletOn = ({ url }: SceneNetwork) => wallet.connect(new JsonRpcProvider(url));
  const tokenOn = (token: TokenResource, network: SceneNetwork) =>
    new Contract(on(token, network).tokenAddress ?? '', erc20, walletOn(network));
  return {
    on,
    supplyOf: (token: TokenResource, network: SceneNetwork): Promise<bigint> =>
      tokenOn(token, network).getFunction('totalSupply')(),
    async ccipSend(token: TokenResource, [from, to]: [SceneNetwork, SceneNetwork], amount: bigint) {
      const { router: address = '' } = on(token, from).extraAddresses ?? {};
      const { chain_selector: selector = '' } = on(token, to).extraAddresses ?? {};
      await (await tokenOn(token, from).getFunction('approve')(address, amount)).wait();
      const contract = new Contract(address, router, walletOn(from));
      const encoded = AbiCoder.defaultAbiCoder().encode(['address'], [receiver]);
      const tokens = [{ token: on(token, from).tokenAddress, amount }];
      const message = [encoded, '0x', tokens, nobody, '0x'];
      await (await contract.getFunction('ccipSend')(selector, message)).wait();
    },
    /** The relay delivers asynchronously: poll the chain until it has. */
    async arrived(token: TokenResource, network: SceneNetwork, amount: bigint): Promise<void> {
      const endMs = Date.now() + arrivalMs;
      for (;;) {
        const balance: bigint = await tokenOn(token, network).getFunction('balanceOf')(receiver);
        if (balance === amount) return;
        if (balance > amount || Date.now() > endMs) throw new Error(`${balance} of ${amount} arrived`);
        await systemClock.sleep(100);
      }
    },
  };
}
