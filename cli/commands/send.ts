import { artifactOf, creationData } from '../../core/abi/artifact.ts';
import { type Abi, callableOf } from '../../core/abi/calls.ts';
import type { Network } from '../../sdk/src/generated/types.ts';
import { abiOf, abiOption, asUsage } from '../contract/abis.ts';
import { addressOf } from '../contract/address.ts';
import { sendImpersonated } from '../contract/admin.ts';
import { amountForm, weiOf } from '../contract/amount.ts';
import { contractOf } from '../contract/find.ts';
import { submitOne } from '../contract/submit.ts';
import { readJson } from '../io/input.ts';
import type { Context } from '../lib/context.ts';
import { findNetwork } from '../lib/resolve.ts';
import { type Call, type CommandSpec, waitOptions } from '../lib/spec.ts';

export const sendCommand: CommandSpec = {
  usage: 'send <network> [args...]',
  summary:
    'Send a transaction, signed with your default key: a call of a contract, a transfer, or a deployment.',
  details: `The arguments are the contract, the function and what it takes; with an address or its name alone, it is a transfer. With --create they
are what the constructor takes. Contracts and functions are written as for "slipway call". Wakes a stopped network. With
--wait, exit code 6 means that the transaction failed on the chain or was dropped. With --as, the account is impersonated by
the admin URL of a network with the light engine: members who may write networks may do so, the account pays, and Slipway
keeps no record of it.`,
  options: [
    { flags: '--value <amount>', text: `Amount: ${amountForm} (0).` },
    {
      flags: '--create <path>',
      text: 'Deploy the artifact of a compiler; - for standard input.',
      excludes: ['abi'],
    },
    abiOption,
    {
      flags: '--as <address>',
      text: 'Send as this account, without its private key; see below.',
      excludes: ['idempotencyKey'],
    },
    { flags: '--gas-limit <gas>', text: 'Gas limit (estimated).', least: 1 },
    { flags: '--idempotency-key <key>', text: 'Key for a repeatable request: it takes effect once.' },
    ...waitOptions,
  ],
  examples: [
    'slipway send my-net 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --value 1ether --wait',
    'slipway send my-fork 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --value 1ether --as 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    "slipway send my-net 0x5FbDB2315678afecb367f032d93F642f64180aa3 'setNumber(uint256)' 42 --wait",
    "slipway send my-net --create out/Counter.sol/Counter.json --wait --json | jq -r '.submissions[0].contract_address'",
  ],
  run: send,
};

async function send(context: Context, { args, options }: Call): Promise<void> {
  const [given = '', ...others] = args;
  const artifact = options.text('create');
  const value = weiOf(options.text('value') ?? '0', '--value');
  const client = await context.client();
  const network = await findNetwork(client, given);
  const { id } = network;
  const { abi, ...part } =
    artifact === undefined
      ? await callPart(context, network, { args: others, options })
      : await creation(context, artifact, others);
  const gasLimit = options.wholeNumber('gasLimit');
  const from = options.text('as');
  if (from !== undefined) {
    const account = await addressOf(context, from, { what: '--as' });
    const item = { ...part, from: account, value, gas_limit: gasLimit };
    return sendImpersonated(context, { client, attempt: { id, item, abi } }, options);
  }
  await submitOne(context, { id, item: { ...part, value, gas_limit: gasLimit }, abi }, options);
}

interface Part {
  to?: string;
  data?: string;
  /** What is known of the contract; its errors may be looked up otherwise. */
  abi?: Abi | undefined;
}

async function creation({ io }: Context, path: string, args: readonly string[]): Promise<Part> {
  const value = await readJson(io, path);
  const artifact = asUsage(() => artifactOf(value));
  return { data: asUsage(() => creationData(artifact, args)), abi: artifact.abi };
}

async function callPart(
  context: Context,
  network: Network,
  { args: [given = '', name, ...values], options }: Call,
): Promise<Part> {
  // Coins go to an address, or to one of the address book: the name of a contract could be meant for something else.
  if (name === undefined) {
    return { to: await addressOf(context, given, { hint: '; to deploy a contract, add --create ARTIFACT' }) };
  }
  const client = await context.client();
  const to = await contractOf(context, network, given);
  const needsAbi = !name.includes('(') || options.text('abi') !== undefined;
  const abi = needsAbi ? await abiOf(context, client, { network, address: to, options }) : undefined;
  const callable = asUsage(() => callableOf(name, values.length, abi));
  return { to, data: asUsage(() => callable.encode(values)), abi };
}
