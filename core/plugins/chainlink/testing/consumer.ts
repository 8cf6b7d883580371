import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Interface } from 'ethers';
import { compile } from '../../../../hack/contracts/compile.ts';
import { findImport } from '../../../../hack/contracts/findImport.ts';
import { ensurePackages } from '../../../../hack/contracts/packages.ts';

/** A contract that extends Chainlink's own client, compiled for a test. */
export async function compileConsumer(): Promise<{ abi: Interface; bytecode: string }> {
  await ensurePackages();
  const name = 'Consumer.sol';
  const content = readFileSync(join(import.meta.dirname, name), 'utf8');
  const found = new Map(compile({ [name]: { content } }, findImport)).get('Consumer');
  if (!found) throw new Error('there is no contract Consumer');
  const { object } = found.evm.bytecode;
  return { abi: new Interface(JSON.stringify(found.abi)), bytecode: `0x${object.replace(/^0x/, '')}` };
}
