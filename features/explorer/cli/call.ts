import { abiOf, abiOption, asUsage } from '../../../cli/contract/abis.ts';
import { addressOf } from '../../../cli/contract/address.ts';
import { contractOf } from '../../../cli/contract/find.ts';
import { whileRunning } from '../../../cli/contract/running.ts';
import { jsonText } from '../../../cli/io/terminal.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { fail } from '../../../cli/lib/failure.ts';
import { findNetwork } from '../../../cli/lib/resolve.ts';
import type { Call, CommandSpec } from '../../../cli/lib/spec.ts';
import { type Abi, callableOf } from '../../../core/abi/calls.ts';
import { revertReason } from '../../../core/abi/reverts.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import { toQuantity } from '../../../core/lib/text/quantity.ts';
import { chainOf } from '../mcp/chainOf.ts';
import { saysReturns } from '../mcp/named.ts';

export const callCommand: CommandSpec = {
  usage: 'call <network> <contract> <function> [args...]',
  summary: 'Call a function of a contract, and print what it returns. Nothing is sent.',
  details: `The contract is an address, or a name of "slipway contract list". The function is a name, if the contract is verified or
was deployed by Slipway, or --abi is given. Otherwise write its types: balanceOf(address)(uint256). Lists and structs are
JSON. Does not wake the network: it must run.`,
  options: [
    abiOption,
    { flags: '--from <address>', text: 'Account to call as.' },
    { flags: '--block <block>', text: 'Number, or a tag such as latest (latest).' },
  ],
  examples: [
    "slipway call my-net 0x5FbDB2315678afecb367f032d93F642f64180aa3 'number()(uint256)'",
    'slipway call my-net 0x5FbDB2315678afecb367f032d93F642f64180aa3 balanceOf 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    'slipway call my-net Counter number',
  ],
  run: call,
};

async function call(context: Context, { args, options }: Call): Promise<void> {
  const [given = '', contract = '', name = '', ...values] = args;
  const { io, ui } = context;
  const caller = options.text('from');
  const from = caller === undefined ? undefined : await addressOf(context, caller, { what: '--from' });
  const block = blockOf(options.text('block') ?? 'latest');
  const client = await context.client();
  const network = await findNetwork(client, given);
  const address = await contractOf(context, network, contract);
  const needsAbi = !saysReturns(name) || options.text('abi') !== undefined;
  const abi = needsAbi ? await abiOf(context, client, { network, address, options }) : undefined;
  const callable = asUsage(() => callableOf(name, values.length, abi));
  const data = asUsage(() => callable.encode(values));
  const request = { to: address, data, from };
  const chain = chainOf(client);
  const read = chain.ask(network.id, [{ method: 'eth_call', params: [request, block] }], io.signal);
  const [answer] = await whileRunning(network, read);
  if (answer?.error) throw refusal(answer.error, abi ?? (await chain.knownAbi(network.id, address)));
  const value = decoded(() => callable.decode(String(answer?.result ?? '0x')));
  ui.answer({ function: callable.signature, result: value }, `${textOf(value)}\n`);
}

const tags = ['latest', 'earliest', 'pending', 'safe', 'finalized'];

/** As nodes take it. */
function blockOf(text: string): string {
  if (/^(\d+|0x[0-9a-f]+)$/i.test(text)) return toQuantity(BigInt(text));
  if (tags.includes(text)) return text;
  throw fail('usage', `--block ${text} is not a block.`, `Use a number, or one of: ${tags.join(', ')}`);
}

function refusal({ message, data }: { message: string; data?: unknown }, abi: Abi | undefined): Error {
  const reason = revertReason(data, abi);
  return fail(
    'failed',
    reason === undefined ? `The call failed: ${message}` : `The call reverted: ${reason}`,
  );
}

function decoded(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    throw fail('failed', `The answer cannot be read: ${messageOf(error)}`);
  }
}

/** One value on its own line; several, lists and structs as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? jsonText(value, 2) : String(value);
}
