import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Interface } from 'ethers';
import { z } from 'zod';
import { type TokenSuite, tokenSuites } from '../api/rules/tokenArgs.ts';
import { AppError, messageOf } from '../lib/errors.ts';
import { recordOf } from '../lib/typed.ts';

const otherSuites = ['layerzero', 'chainlink', 'uniswap', 'vrf'] as const;

/** Suites of contracts, one file each: one for each token standard, one for LayerZero networks, and those of plugins. */
export type SuiteName = TokenSuite | (typeof otherSuites)[number];
const suiteNames: readonly SuiteName[] = [...tokenSuites, ...otherSuites];

export interface TokenContract {
  abi: Interface;
  /** Init code, without the constructor's arguments. */
  bytecode: string;
}

/** Contracts by name. Throws NotImplemented when this installation was built without the suite. */
type Suite = (name: string) => TokenContract;

export type TokenContracts = Readonly<Record<SuiteName, Suite>>;

const fileSchema = z.object({
  contracts: z.record(
    z.string(),
    z.object({ abi: z.array(z.looseObject({})), bytecode: z.string().regex(/^0x([0-9a-f]{2})+$/) }),
  ),
});

/**
 * Reads what the build made from contracts/tokens and the pinned packages. An installation may leave out a suite
 * because of its licence; tokens of that standard are then refused. Throws BadRequest that names a malformed file.
 */
export function loadTokenContracts(folder: string): TokenContracts {
  return recordOf(suiteNames.map((name) => [name, loadSuite(name, join(folder, `${name}.json`))]));
}

function loadSuite(suite: SuiteName, path: string): Suite {
  const text = readText(path);
  const found = new Map<string, TokenContract>(text === undefined ? [] : parse(path, text));
  return (name) => {
    if (text === undefined) {
      throw new AppError('NotImplemented', `this installation has no contracts for ${suite}`);
    }
    const contract = found.get(name);
    if (!contract) throw new AppError('Internal', `${path} has no contract ${name}`);
    return contract;
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function parse(path: string, text: string): [string, TokenContract][] {
  try {
    return Object.entries(fileSchema.parse(JSON.parse(text)).contracts).map(([name, { abi, bytecode }]) => [
      name,
      { abi: new Interface(JSON.stringify(abi)), bytecode },
    ]);
  } catch (error) {
    throw new AppError('BadRequest', `${path} is not usable: ${messageOf(error)}`);
  }
}
