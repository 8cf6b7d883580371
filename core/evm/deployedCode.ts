import { getAddress, keccak256 } from 'ethers';
import { AppError } from '../lib/errors.ts';
import { memberOf } from '../lib/json/members.ts';
import type { ChainReader } from './chainReader.ts';
import { codeAt } from './contractCalls.ts';

/** A contract as the chain has it. */
export interface DeployedCode {
  /** With its checksum (EIP-55). */
  address: string;
  /** 0x-prefixed hexadecimal; `0x` when there is none. */
  code: string;
  codeHash: string;
}

export async function readDeployedCode(chain: ChainReader, address: string): Promise<DeployedCode> {
  const code = await codeAt(chain, address);
  return { address: getAddress(address.toLowerCase()), code, codeHash: keccak256(code) };
}

/** The transaction that created a contract. */
export interface Creation {
  hash: string;
  creator: string;
  /** Its input: the creation bytecode and the constructor's arguments. */
  input: string;
}

/** Rejects with BadRequest when the transaction is unknown, or created another contract or none. */
export async function readCreation(chain: ChainReader, hash: string, address: string): Promise<Creation> {
  const [transaction, receipt] = await Promise.all([
    chain.call('eth_getTransactionByHash', [hash]),
    chain.call('eth_getTransactionReceipt', [hash]),
  ]);
  const created = String(memberOf(receipt, 'contractAddress')).toLowerCase();
  if (created !== address.toLowerCase()) {
    throw new AppError('BadRequest', `the transaction ${hash} did not create the contract ${address}`);
  }
  return {
    hash,
    creator: String(memberOf(transaction, 'from')),
    input: String(memberOf(transaction, 'input')),
  };
}
