import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

export type Abi = Record<string, unknown>[];

/** The ABIs of contracts that come with the installation, by suite and name; undefined where it has none. */
export type FindAbi = (suite: string, contract: string) => Promise<Abi | undefined>;

const fileSchema = z.object({
  contracts: z.record(z.string(), z.object({ abi: z.array(z.record(z.string(), z.unknown())) })),
});

/** Reads the file of a suite when somebody first asks for it, and keeps its ABIs. */
export function createFindAbi(folder: string): FindAbi {
  const suites = new Map<string, Promise<ReadonlyMap<string, Abi>>>();
  return async (suite, contract) => {
    const known = suites.get(suite) ?? readSuite(folder, suite);
    suites.set(suite, known);
    return (await known).get(contract);
  };
}

/** A suite that the installation was built without has no ABIs. */
async function readSuite(folder: string, suite: string): Promise<ReadonlyMap<string, Abi>> {
  const text = await readFile(join(folder, `${suite}.json`), 'utf8').catch(() => undefined);
  if (text === undefined) return new Map();
  const { contracts } = fileSchema.parse(JSON.parse(text));
  return new Map(Object.entries(contracts).map(([name, { abi }]) => [name, abi]));
}
