import { abiOf, abiOption, asUsage } from '../../../cli/contract/abis.ts';
import { contractOf } from '../../../cli/contract/find.ts';
import { whileRunning } from '../../../cli/contract/running.ts';
import type { Client } from '../../../cli/lib/client.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { fail } from '../../../cli/lib/failure.ts';
import { atMost, findNetwork } from '../../../cli/lib/resolve.ts';
import { type Call, type CommandSpec, limitOption } from '../../../cli/lib/spec.ts';
import { type EmittedEvent, emittedEvents, eventsOf } from '../../../core/abi/logs.ts';
import type { Network } from '../../../sdk/src/generated/types.ts';
import { chainOf } from '../mcp/chainOf.ts';
import { foundEvent } from '../mcp/named.ts';

/** How many are shown unless the user says otherwise. */
const shownCount = 50;

export const logsCommand: CommandSpec = {
  usage: 'logs <network> <contract> [event]',
  summary: 'Show the events that a contract emitted, the newest first.',
  details: `The contract is an address, or a name of "slipway contract list". The event is a name, if the contract is verified or was
deployed by Slipway, or --abi is given. Otherwise write it out: 'Transfer(address indexed from, address indexed to, uint256
value)'. Without one, all events are shown. Does not wake the network: it must run.`,
  options: [
    abiOption,
    {
      flags: '--from-block <number>',
      text: 'First block (the first of the network).',
      least: 0,
    },
    { flags: '--to-block <number>', text: 'Last block (the newest).', least: 0 },
    { ...limitOption, text: `Maximum number of events (${shownCount}).` },
  ],
  examples: [
    'slipway logs my-net 0x5FbDB2315678afecb367f032d93F642f64180aa3',
    "slipway logs my-net 0x5FbDB2315678afecb367f032d93F642f64180aa3 'Counted(address indexed by, uint256 number)' --json",
  ],
  run: logs,
};

async function logs(context: Context, { args, options }: Call): Promise<void> {
  const [given = '', contract = '', name] = args;
  const client = await context.client();
  const network = await findNetwork(client, given);
  const address = await contractOf(context, network, contract);
  const abi = await abiOf(context, client, { network, address, options });
  const only = name === undefined ? undefined : asUsage(() => foundEvent(name, abi));
  const [first, last] = [options.wholeNumber('fromBlock'), options.wholeNumber('toBlock')];
  const found = emittedEvents(readerOf(context, client, network), {
    address,
    only,
    known: eventsOf(abi),
    first,
    last,
    forkBlock: network.status?.fork?.block,
  });
  await context.ui.list(atMost(found, options.wholeNumber('limit') ?? shownCount), [
    { title: 'block', value: ({ block }) => String(block) },
    { title: 'transaction', value: ({ transaction }) => transaction },
    { title: 'event', value: textOf },
  ]);
}

function readerOf({ io }: Context, client: Client, network: Network) {
  return async (method: string, params: unknown[]): Promise<unknown> => {
    const read = chainOf(client).ask(network.id, [{ method, params }], io.signal);
    const [answer] = await whileRunning(network, read);
    if (answer?.error) throw fail('failed', `The node refused ${method}: ${answer.error.message}`);
    return answer?.result;
  };
}

/** `Counted(by: 0x…, number: 1)`, or what the node knows of it. */
function textOf({ event, args = {}, topics = [], data = '' }: EmittedEvent): string {
  if (event === null) return `topics ${topics.join(' ')} data ${data}`;
  const values = Object.entries(args).map(
    ([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return `${event.slice(0, event.indexOf('('))}(${values.join(', ')})`;
}
