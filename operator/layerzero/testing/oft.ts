import { Contract, ContractFactory, JsonRpcProvider, NonceManager, type Wallet, zeroPadValue } from 'ethers';
import { systemClock } from '../../../core/lib/clock.ts';
import { tokenContractsForTests } from '../../../hack/contracts/forTests.ts';

/** Where to deploy an OFT. */
export interface OftPlace {
  url: string;
  endpoint: string;
  eid: number;
}

/** An OFT deployed with plain ethers, as a user would do it. */
export interface Oft extends OftPlace {
  contract: Contract;
  close(): void;
}

const supply = 10n ** 24n;
const arrivalLimitMs = 30_000;

/** Deploys an OFT at each place, owned by the wallet, and makes each a peer of all others. */
export async function deployOfts(wallet: Wallet, places: readonly OftPlace[]): Promise<Oft[]> {
  const { abi, bytecode } = tokenContractsForTests().oft('OmnichainToken');
  const ofts = await Promise.all(
    places.map(async (place): Promise<Oft> => {
      const provider = new JsonRpcProvider(place.url, undefined, { pollingInterval: 50, cacheTimeout: -1 });
      const signer = new NonceManager(wallet.connect(provider));
      const factory = new ContractFactory(abi, bytecode, signer);
      const deployed = await factory.deploy('Test', 'TST', 18, supply, place.endpoint, wallet.address);
      await deployed.waitForDeployment();
      const contract = new Contract(await deployed.getAddress(), abi, signer);
      return { ...place, contract, close: () => provider.destroy() };
    }),
  );
  for (const from of ofts) {
    for (const to of ofts) {
      if (to === from) continue;
      const peer = zeroPadValue(String(to.contract.target), 32);
      await (await from.contract.getFunction('setPeer')(to.eid, peer)).wait();
    }
  }
  return ofts;
}

export const supplyOf = (oft: Oft): Promise<bigint> => oft.contract.getFunction('totalSupply')();

/** Sends tokens to the owner on the other side. Rejects if the endpoint has no connection to it. */
export async function sendOft(from: Oft, to: Oft, amount: bigint): Promise<void> {
  const owner: string = await from.contract.getFunction('owner')();
  const param = [to.eid, zeroPadValue(owner, 32), amount, amount, '0x', '0x', '0x'];
  const [fee] = await from.contract.getFunction('quoteSend').staticCall(param, false);
  const sent = await from.contract.getFunction('send')(param, [fee, 0n], owner, { value: fee });
  await sent.wait();
}

/** Resolves when the supply has this value. Deliveries change it. */
export async function awaitSupply(oft: Oft, expected: bigint, signal?: AbortSignal): Promise<void> {
  const untilMs = systemClock.nowMs() + arrivalLimitMs;
  for (;;) {
    const present = await supplyOf(oft);
    if (present === expected) return;
    if (systemClock.nowMs() > untilMs) throw new Error(`the supply is ${present}, not ${expected}`);
    await systemClock.sleep(100, signal);
  }
}
