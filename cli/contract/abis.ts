import { abiIn } from '../../core/abi/artifact.ts';
import type { Abi } from '../../core/abi/calls.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { ChainClient } from '../../mcp/chain.ts';
import type { Network } from '../../sdk/src/generated/types.ts';
import { readJson } from '../io/input.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import type { Options } from '../lib/options.ts';
import type { OptionSpec } from '../lib/spec.ts';
import { whileRunning } from './running.ts';

/** Names the file that `abiOf` reads. */
export const abiOption: OptionSpec = {
  flags: '--abi <path>',
  text: 'File with the ABI, or the artifact of a compiler; - for standard input.',
};

/** The ABI of a contract: of a file, or of the service, which knows verified contracts and those that it deployed. */
export async function abiOf(
  { io }: Context,
  client: ChainClient,
  { network, address, options }: { network: Network; address: string; options: Options },
): Promise<Abi | undefined> {
  const file = options.text('abi');
  if (file !== undefined) {
    const abi = abiIn(await readJson(io, file));
    if (abi) return abi;
    throw fail(
      'usage',
      `${file} has no ABI.`,
      'Name a JSON file with an ABI, or the artifact of a compiler.',
    );
  }
  const known = client.chain?.knownAbi(network.id, address);
  return known && whileRunning(network, known);
}

/** What `work` says against what the user wrote, as wrong usage. */
export function asUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const text = messageOf(error).replace(/ or give its ABI$/, ' or give its ABI: --abi FILE');
    throw fail('usage', `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`);
  }
}
