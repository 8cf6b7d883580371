import { z } from 'zod';
import { callableOf } from '../../../core/abi/calls.ts';
import { emittedEvents, eventsOf } from '../../../core/abi/logs.ts';
import { revertReason } from '../../../core/abi/reverts.ts';
import {
  addressInput,
  atMost,
  findAddress,
  findAddressIfAny,
  findNetwork,
  limitInput,
  named,
  nameInput,
  networkInput,
} from '../../../mcp/find.ts';
import {
  abiInput,
  argsInput,
  argTexts,
  declarationInput,
  functionInput,
  neededAbi,
} from '../../../mcp/inputs.ts';
import { defineTool, type Tool, type ToolContext } from '../../../mcp/tool.ts';
import { isSlipwayError } from '../../../sdk/src/error.ts';
import { chainOf } from './chainOf.ts';
import { readHistory } from './history.ts';
import { foundEvent, saysReturns } from './named.ts';

/** The result of one call that only reads. Throws Error with the reason when the node refuses it. */
async function readOne(
  { client, signal }: ToolContext,
  id: string,
  call: { method: string; params: unknown[] },
) {
  const [answer] = await chainOf(client).ask(id, [call], signal);
  if (answer?.error) throw new Error(answer.error.message);
  return answer?.result ?? null;
}

/** Whether the service has no more for the caller at the moment: what it answered before is worth having. */
const isBusy = (error: unknown): boolean =>
  isSlipwayError(error, 'TooManyRequests') || isSlipwayError(error, 'Unavailable');

export const tools: readonly Tool[] = [
  defineTool({
    name: 'read_chain',
    title: 'Read a chain by JSON-RPC',
    description:
      'One JSON-RPC call that only reads, such as eth_getBlockByNumber or eth_getTransactionReceipt. The network must run. mine_blocks and advance_time do what reads cannot.',
    input: named.extend({ method: nameInput, params: z.array(z.unknown()).default([]) }),
    isReadOnly: true,
    async run(context, { network, method, params }) {
      const { id } = await findNetwork(context, network);
      return readOne(context, id, { method, params });
    },
  }),
  defineTool({
    name: 'call_contract',
    title: 'Call a contract',
    description:
      'Calls a function of a contract and answers what it returns. Nothing is sent. The network must run.',
    input: named.extend({
      address: addressInput,
      function: functionInput,
      args: argsInput,
      abi: abiInput.optional(),
      from: addressInput.optional(),
    }),
    isReadOnly: true,
    async run(context, { network, address: contract, function: name, args, abi: given, from: caller }) {
      const { id } = await findNetwork(context, network);
      const address = await findAddress(context, contract);
      const from = await findAddressIfAny(context, caller);
      const isSpelledOut = saysReturns(name);
      const abi = await neededAbi(context, id, { address, abi: given, isSpelledOut });
      const callable = callableOf(name, args.length, abi);
      const call = { to: address, data: callable.encode(argTexts(args)), from };
      const chain = chainOf(context.client);
      const [answer] = await chain.ask(
        id,
        [{ method: 'eth_call', params: [call, 'latest'] }],
        context.signal,
      );
      if (answer?.error) {
        const { data, message } = answer.error;
        throw new Error(
          `it reverted: ${revertReason(data, abi ?? (await chain.knownAbi(id, address))) ?? message}`,
        );
      }
      return { function: callable.signature, result: callable.decode(String(answer?.result ?? '0x')) };
    },
  }),
  defineTool({
    name: 'get_contract_events',
    title: 'Show what a contract emitted',
    description:
      'Events of a contract with their values, the newest first, of all blocks of the network unless some are named. The network must run.',
    input: named.extend({
      address: addressInput,
      event: declarationInput
        .optional()
        .describe(
          'Transfer(address indexed from, address indexed to, uint256 value), or a name alone if the contract is verified or abi is given; all when absent.',
        ),
      abi: abiInput.optional(),
      fromBlock: z.int().min(0).optional(),
      toBlock: z.int().min(0).optional(),
      limit: limitInput,
    }),
    isReadOnly: true,
    async run(context, input) {
      const { network, event, abi: given, fromBlock: first, toBlock: last, limit } = input;
      const { id, status } = await findNetwork(context, network);
      const address = await findAddress(context, input.address);
      const forkBlock = status?.fork?.block;
      const abi = await neededAbi(context, id, { address, abi: given });
      const only = event === undefined ? undefined : foundEvent(event, abi);
      const read = (method: string, params: unknown[]) => readOne(context, id, { method, params });
      return atMost(
        emittedEvents(read, { address, only, known: eventsOf(abi), first, last, forkBlock }),
        limit,
      );
    },
  }),
  defineTool({
    name: 'list_contracts',
    title: 'List contracts by name',
    description:
      'Contracts that were verified, or deployed with a token, with their addresses: of a network, or of all networks of the workspace. No network is woken.',
    input: z.object({
      network: networkInput.optional(),
      name: z
        .string()
        .max(256)
        .optional()
        .describe('Part of the name of the contract, or of the name or symbol of its token.'),
      limit: limitInput,
    }),
    isReadOnly: true,
    async run(context, { network, name, limit }) {
      const { client, signal } = context;
      const query = { name, limit };
      if (network === undefined) return atMost(client.contracts.listAllOfWorkspace(query, { signal }), limit);
      const { id } = await findNetwork(context, network);
      return atMost(client.contracts.listAll(id, query, { signal }), limit);
    },
  }),
  defineTool({
    name: 'get_account_history',
    title: 'Get the history of an account',
    description:
      'The transactions of an account on a running network, the newest first: sent, received, and those within which it was called. Or transfers of tokens. covered says which blocks were searched: what is in others, or within blocks that are untraced, is not known. The network is not woken.',
    input: named.extend({
      address: addressInput,
      show: z.enum(['transactions', 'transfers']).default('transactions').describe('What is listed.'),
      of: z
        .enum(['account', 'token'])
        .default('account')
        .describe('Whose transfers: those to and from the account, or those of the token at the address.'),
      limit: limitInput,
    }),
    isReadOnly: true,
    async run(context, { network, address, show, of, limit }) {
      const { client, signal } = context;
      const { history } = client;
      const { id } = await findNetwork(context, network);
      const path = { id, address: await findAddress(context, address) };
      if (show === 'transactions')
        return readHistory((query) => history.listTransactions(path, query, { signal }), limit, isBusy);
      return readHistory((query) => history.listTransfers(path, { ...query, of }, { signal }), limit, isBusy);
    },
  }),
];
