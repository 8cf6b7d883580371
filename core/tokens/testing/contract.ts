import { Contract, type Interface, type Overrides } from 'ethers';
import type { TestNetwork } from './networks.ts';

/** A contract as an independent client sees it: ethers with the deployer's wallet. */
export interface TestContract {
  address: string;
  /** Calls a view function and returns its value, of the type in the ABI. */
  ask<Answer = unknown>(name: string, ...args: unknown[]): Promise<Answer>;
  /** Sends a transaction and waits until it is in a block. Rejects when it is refused. */
  send(name: string, ...args: unknown[]): Promise<void>;
  /** The same with wei. */
  pay(value: bigint, name: string, ...args: unknown[]): Promise<void>;
}

export function contractAt({ chain }: TestNetwork, address: string, abi: Interface): TestContract {
  const contract = new Contract(address, abi, chain.wallet);
  const send = async (name: string, args: unknown[], overrides: Overrides & { value?: bigint }) => {
    const sent = await contract.getFunction(name).send(...args, overrides);
    await sent.wait();
  };
  return {
    address,
    ask: (name, ...args) => contract.getFunction(name).staticCall(...args),
    send: (name, ...args) => send(name, args, {}),
    pay: (value, name, ...args) => send(name, args, { value }),
  };
}
