import { z } from 'zod';
import { artifactOf, creationData } from '../../core/abi/artifact.ts';
import { callableOf } from '../../core/abi/calls.ts';
import { sendAs, setBalance } from '../../core/abi/node.ts';
import { unknownValue } from '../../sdk/src/unknownValue.ts';
import { readAccounts } from '../accounts.ts';
import { requireAdminNode } from '../adminNode.ts';
import {
  addressInput,
  findAddress,
  findAddressIfAny,
  findNetwork,
  limitInput,
  named,
  nameInput,
  networkInput,
} from '../find.ts';
import {
  abiInput,
  abiOf,
  amountInput,
  argsInput,
  argTexts,
  functionInput,
  neededAbi,
  textInput,
  weiOf,
} from '../inputs.ts';
import { type Attempt, refusedReason } from '../reasons.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';

const gasInput = z.int().min(1).optional().describe('Gas limit; estimated when absent.');

async function submit({ client, signal }: ToolContext, attempt: Attempt) {
  const { id, item } = attempt;
  const answer = await client.transactions
    .submit({ transactions_by_network: { [id]: [item] } }, { signal })
    .catch(async (error: unknown) => {
      const reason = await refusedReason(client, error, attempt);
      throw reason === undefined ? error : new Error(`it would revert: ${reason}`);
    });
  const [hash] = answer.tx_hashes_by_network[id] ?? [];
  if (hash === undefined)
    throw new Error(answer.errors_by_network?.[id]?.message ?? 'the network accepted nothing');
  return { hash, next: 'get_transaction says whether it was mined' };
}

export const chainTools: readonly Tool[] = [
  defineTool({
    name: 'send_transaction',
    title: 'Send a transaction',
    description:
      "Calls a function of a contract that changes it, or transfers coins when there is no function. The service signs with the caller's key. Wakes a stopped network.",
    input: named.extend({
      to: addressInput,
      function: functionInput.optional(),
      args: argsInput,
      abi: abiInput.optional(),
      value: amountInput.default('0'),
      gasLimit: gasInput,
      as: addressInput
        .optional()
        .describe('Send as this account, without its key (light engines, and keys that may write networks).'),
    }),
    isDestructive: true,
    async run(context, input) {
      const { network, function: name, args, abi: given, value: amount, gasLimit } = input;
      const { id } = await findNetwork(context, network);
      const to = await findAddress(context, input.to);
      const from = await findAddressIfAny(context, input.as);
      const isSpelledOut = name?.includes('(') ?? true;
      const abi = await neededAbi(context, id, { address: to, abi: name && given, isSpelledOut });
      const data = name === undefined ? undefined : callableOf(name, args.length, abi).encode(argTexts(args));
      const value = weiOf(amount, 'value');
      if (from === undefined)
        return {
          ...(await submit(context, { id, item: { to, value, data, gas_limit: gasLimit }, abi })),
          to,
        };
      const hash = await sendAs(await requireAdminNode(context, id), { from, to, value, data, gasLimit });
      return { hash, next: 'read_chain with eth_getTransactionReceipt says whether it succeeded', to };
    },
  }),
  defineTool({
    name: 'set_balance',
    title: 'Set the balance of an account',
    description:
      'Sets what an account has, without a transaction: coins, or an ERC-20 token such as one of a forked chain (light engines, and keys that may write networks). Wakes a stopped network.',
    input: named.extend({
      address: addressInput,
      amount: amountInput.describe('Wei, or such as 2gwei or 0.5ether; of a token, its smallest units.'),
      token: addressInput.optional().describe('Contract of an ERC-20 token; the native coin when absent.'),
    }),
    isDestructive: true,
    async run(context, { network, address: account, amount: given, token: contract }) {
      const amount = weiOf(given, 'amount');
      const { id } = await findNetwork(context, network);
      const address = await findAddress(context, account);
      const token = await findAddressIfAny(context, contract);
      await setBalance(await requireAdminNode(context, id), { address, amount, token });
      return { address, amount, token };
    },
  }),
  defineTool({
    name: 'deploy_contract',
    title: 'Deploy a contract',
    description:
      "Creates a contract from its ABI and bytecode, signed by the service with the caller's key. get_transaction then has its address.",
    input: named.extend({
      abi: abiInput,
      bytecode: textInput.describe('Creation code in hexadecimal.'),
      args: argsInput,
      value: amountInput.default('0'),
      gasLimit: gasInput,
    }),
    async run(context, { network, abi, bytecode, args, value: amount, gasLimit }) {
      const { id } = await findNetwork(context, network);
      const artifact = artifactOf({ abi: abiOf(abi), bytecode });
      const data = creationData(artifact, argTexts(args));
      const item = { data, value: weiOf(amount, 'value'), gas_limit: gasLimit };
      return submit(context, { id, item, abi: artifact.abi });
    },
  }),
  defineTool({
    name: 'get_transaction',
    title: 'Show a submitted transaction',
    description:
      'The state of a transaction that was submitted through Slipway, its receipt, and the contract that it created.',
    input: z.object({ hash: nameInput, network: networkInput.optional() }),
    isReadOnly: true,
    async run(context, { hash, network }) {
      const network_id = network === undefined ? undefined : (await findNetwork(context, network)).id;
      return context.client.transactions.get(hash, { network_id }, { signal: context.signal });
    },
  }),
  defineTool({
    name: 'list_transactions',
    title: 'List submitted transactions',
    description: 'Transactions that were submitted through Slipway, newest first.',
    input: z.object({
      network: networkInput.optional(),
      state: z.enum(['accepted', 'broadcast', 'mined', 'failed', 'dropped']).optional(),
      limit: limitInput,
    }),
    isReadOnly: true,
    async run(context, { network, state, limit }) {
      const id = network === undefined ? undefined : (await findNetwork(context, network)).id;
      const parts = [id && `network_id == ${id}`, state && `state == ${state}`].filter(Boolean);
      const query = { limit, ...(parts.length > 0 ? { selector: parts.join(' && ') } : {}) };
      return (await context.client.transactions.list(query, { signal: context.signal })).items;
    },
  }),
  defineTool({
    name: 'list_accounts',
    title: 'List the funded accounts of a network',
    description:
      "Accounts that have funds, the caller's own included, with their balances in the smallest unit while an EVM network runs. Private keys are never shown here.",
    input: named,
    isReadOnly: true,
    async run(context, { network }) {
      return readAccounts(context.client, await findNetwork(context, network), context.signal);
    },
  }),
  defineTool({
    name: 'list_tokens',
    title: 'List tokens',
    description: 'Tokens of the workspace with the networks on which they are deployed and their addresses.',
    input: z.object({ symbol: nameInput.optional(), type: nameInput.optional(), limit: limitInput }),
    isReadOnly: true,
    async run({ client, signal }, { symbol, type, limit }) {
      const query = { symbol, type: type === undefined ? undefined : unknownValue(type), limit };
      return (await client.tokens.list(query, { signal })).items;
    },
  }),
];
