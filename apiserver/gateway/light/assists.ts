import { type RpcError, rpcErrorOf } from '../../../core/evm/rpc.ts';
import { isKnownTransaction } from '../../../core/evm/transactions.ts';
import { isObject } from '../../../core/lib/json/members.ts';
import { paramsOf } from '../jsonrpc/params.ts';
import type { Assist, AssistContext, OwnAnswer } from '../policy/policy.ts';
import { serverError } from './answers.ts';
import { feeHistory } from './feeHistory.ts';
import { amountOf } from './quantity.ts';
import { revert } from './revert.ts';
import { sendSync } from './sendSync.ts';
import { simulate } from './simulate.ts';

/**
 * Calls that the light engine answers wrongly, or that would break its chain: the gateway asks the engine first, and answers
 * itself. Undefined for all others, which are forwarded.
 */
export function lightAssist(method: string, text: string): Assist | undefined {
  const assist = assists.get(method);
  return assist && ((context) => assist(context, paramsOf(text)));
}

type AssistWith = (context: AssistContext, params: readonly unknown[]) => Promise<OwnAnswer | undefined>;

/** anvil answers a trace without steps for a transaction that it does not have. */
async function trace({ rpc }: AssistContext, [hash]: readonly unknown[]): Promise<OwnAnswer | undefined> {
  if (typeof hash !== 'string' || (await isKnownTransaction(rpc, hash))) return undefined;
  return serverError('transaction not found');
}

/** geth answers that there is nothing of a block that it does not have; anvil answers an error. */
const nothingOfUnknown =
  (method: string): AssistWith =>
  async ({ rpc }, params) => {
    try {
      return { result: await rpc.call(method, params) };
    } catch (error) {
      const refusal = rpcErrorOf(error);
      if (!refusal || !isUnknownBlock(refusal)) throw error;
      return { result: null };
    }
  };

const isUnknownBlock = ({ code, message }: RpcError): boolean =>
  code === -32001 || message.startsWith('BlockOutOfRangeError');

/** anvil has no pending block to count the uncles of. */
const uncleCount = nothingOfUnknown('eth_getUncleCountByBlockNumber');
const uncleCountByNumber: AssistWith = async (context, params) =>
  params[0] === 'pending' ? { result: '0x0' } : uncleCount(context, params);

/** anvil estimates transfers that the sender cannot pay. */
async function estimate({ rpc }: AssistContext, [call, block = 'latest', overrides]: readonly unknown[]) {
  if (!isObject(call) || typeof call.from !== 'string' || overrides !== undefined) return undefined;
  const value = amountOf(call.value);
  if (value === 0n) return undefined;
  const balance = amountOf(await rpc.call('eth_getBalance', [call.from, block]));
  if (balance >= value) return undefined;
  return serverError(
    `insufficient funds for gas * price + value: address ${call.from} have ${balance} want ${value}`,
  );
}

/** anvil does not find a transaction of a future nonce in its pool, and answers as if there were none. */
const drop =
  (method: string): AssistWith =>
  async ({ rpc }, params) => {
    const result = await rpc.call(method, params);
    if (result !== null) return { result };
    const found = await rpc.call('eth_getTransactionByHash', params);
    if (!isObject(found) || found.blockNumber !== null) return { result };
    return serverError(
      "this network's engine cannot drop one transaction of a future nonce: anvil_removePoolTransactions drops all of its sender",
    );
  };

/** anvil loses the code of all contracts when it goes back to a state that a former process saved. */
const goBack: AssistWith = async ({ hasHistory }) =>
  hasHistory
    ? serverError(
        'a network with history cannot roll back or reorganize: take an evm_snapshot and revert to it, or omit history',
      )
    : undefined;

/** A single node has no peers; anvil does not have the method. */
const peerCount: AssistWith = async () => ({ result: '0x0' });

const assists = new Map<string, AssistWith>([
  ['evm_revert', revert],
  ['anvil_revert', revert],
  ['anvil_dropTransaction', drop('anvil_dropTransaction')],
  ['hardhat_dropTransaction', drop('hardhat_dropTransaction')],
  ['anvil_rollback', goBack],
  ['anvil_reorg', goBack],
  ['debug_traceTransaction', trace],
  ['eth_feeHistory', ({ rpc }, params) => feeHistory(rpc, params)],
  ['eth_estimateGas', estimate],
  ['eth_sendRawTransactionSync', sendSync],
  ['eth_simulateV1', ({ rpc }, params) => simulate(rpc, params)],
  ['net_peerCount', peerCount],
  ['eth_getUncleCountByBlockNumber', uncleCountByNumber],
  ...[
    'eth_getBlockTransactionCountByNumber',
    'eth_getUncleCountByBlockHash',
    'eth_getUncleByBlockHashAndIndex',
    'eth_getUncleByBlockNumberAndIndex',
  ].map((method): [string, AssistWith] => [method, nothingOfUnknown(method)]),
]);
