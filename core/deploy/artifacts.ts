import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Interface } from 'ethers';
import { z } from 'zod';
import { AppError, messageOf } from '../lib/errors.ts';

/** The suites that the build makes, one file each. */
const suiteNames = ['erc20', 'erc3643', 'cct', 'oft', 'layerzero'] as const;
export type SuiteName = (typeof suiteNames)[number];

export interface TokenContract {
  abi: Interface;
  /** What deploys it, without the constructor's arguments. */
  bytecode: string;
}

/** Contracts by name. Throws NotImplemented for one of a suite that this installation was built without. */
type Suite = (name: string) => TokenContract;

export type TokenContracts = Readonly<Record<SuiteName, Suite>>;

const fileSchema = z.object({
  contracts: z.record(
    z.string(),
    z.object({ abi: z.array(z.looseObject({})), bytecode: z.string().regex(/^0x([0-9a-f]{2})+$/) }),
  ),
});

/**
 * Reads what the build made of contracts/tokens and the pinned packages. An installation may leave a suite out, for
 * its licence: then its standard is refused. Throws BadRequest naming a file that is malformed.
 */
export function loadTokenContracts(folder: string): TokenContracts {
  const load = (name: SuiteName) => loadSuite(name, join(folder, `${name}.json`));
  return {
    erc20: load('erc20'),
    erc3643: load('erc3643'),
    cct: load('cct'),
    oft: load('oft'),
    layerzero: load('layerzero'),
  };
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
