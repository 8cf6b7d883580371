import { contractOf } from '../../../cli/contract/find.ts';
import type { CliFeature } from '../../../cli/feature.ts';
import { fieldsText } from '../../../cli/io/table.ts';
import { jsonText } from '../../../cli/io/terminal.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { findNetwork } from '../../../cli/lib/resolve.ts';
import type { Call, CommandSpec } from '../../../cli/lib/spec.ts';
import type { Contract } from '../../../sdk/src/generated/types.ts';

const getCommand: CommandSpec = {
  usage: 'get <network> <contract>',
  summary: 'Show a verified contract, or print its ABI.',
  details: 'The contract is an address, or a name of "slipway contract list".',
  options: [{ flags: '--abi', text: 'Print only the ABI.' }],
  examples: [
    'slipway contract get my-net 0x5FbDB2315678afecb367f032d93F642f64180aa3',
    'slipway contract get my-net Counter --abi > Counter.json',
  ],
  run: get,
};

export const feature: CliFeature = { contractCommands: [getCommand] };

async function get(context: Context, { args: [given = '', wanted = ''], options }: Call): Promise<void> {
  const { io, ui, client } = context;
  const sdk = await client();
  const network = await findNetwork(sdk, given);
  const path = { id: network.id, address: await contractOf(context, network, wanted) };
  const contract = await sdk.contracts.get(path, { signal: io.signal });
  if (options.isSet('abi')) return ui.raw(`${jsonText(contract.abi, 2)}\n`);
  ui.object(contract, contractText(contract));
}

function contractText({ name, address, match, compiler, verifiedAt, sources }: Contract): string {
  return fieldsText([
    ['Name', name],
    ['Address', address],
    ['Match', match],
    ['Compiler', compiler],
    ['Verified', verifiedAt],
    ['Sources', Object.keys(sources).join(', ')],
  ]);
}
