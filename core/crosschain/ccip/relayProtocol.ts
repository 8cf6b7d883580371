import { AbiCoder, dataLength, dataSlice, type EventFragment, ParamType } from 'ethers';
import { decodeLogValues, decodeValues } from '../../abi/decode.ts';
import { plainMembers } from '../../abi/values.ts';
import type { TokenContracts } from '../../deploy/artifacts.ts';
import { ask } from '../../evm/contractCalls.ts';
import { AppError } from '../../lib/errors.ts';
import type { ChainLog, RelayMessage, RelayProtocol, RelaySource } from '../relay/protocol.ts';
import { type CcipNetwork, chainSelectorOf } from './ccipNetwork.ts';

export interface CcipMessage extends RelayMessage {
  offRamp: string;
  sourceSelector: bigint;
  sequenceNumber: bigint;
  /** Calldata for the off-ramp that executes the message, and the gas for it. */
  data: string;
  gasLimit: bigint;
}

/** What is read of the on-ramp's event; numbers in digits. */
interface SentMessage {
  header: {
    messageId: string;
    sourceChainSelector: string;
    destChainSelector: string;
    sequenceNumber: string;
    nonce: string;
  };
  sender: string;
  data: string;
  receiver: string;
  extraArgs: string;
  tokenAmounts: {
    sourcePoolAddress: string;
    destTokenAddress: string;
    extraData: string;
    amount: string;
  }[];
}

/** CCIP's default gas limit for receivers. */
const defaultReceiverGas = 200_000n;
const gasOfExecution = 400_000n;
const gasOfTokens = 350_000n;

const states = { success: '2' };

/** From the on-ramps to the off-ramps; a message that failed there is executed again. */
export function ccipRelayProtocol(
  networks: readonly CcipNetwork[],
  contracts: TokenContracts,
): RelayProtocol<CcipMessage> {
  const onRamp = contracts.cct('OnRamp').abi;
  const offRamp = contracts.cct('OffRamp').abi;
  const bySelector = new Map(networks.map((network) => [chainSelectorOf(network), network]));
  const event = onRamp.getEvent('CCIPMessageSent');
  const topic = event?.topicHash ?? '';
  return {
    name: 'ccip',
    sources: networks.map(
      ({ id, incarnation, onRamp: address }): RelaySource => ({ network: id, incarnation, address, topic }),
    ),
    parse(_source, log) {
      const sent = event && sentIn(event, log);
      if (!sent) return undefined;
      const { header, extraArgs, tokenAmounts } = sent;
      const destination = bySelector.get(BigInt(header.destChainSelector));
      const receiverGas = receiverGasOf(extraArgs);
      if (!destination || receiverGas === undefined) return undefined;
      const message = arriving(sent, receiverGas);
      if (!message) return undefined;
      return {
        id: header.messageId,
        to: destination.id,
        offRamp: destination.offRamp,
        sourceSelector: BigInt(header.sourceChainSelector),
        sequenceNumber: BigInt(header.sequenceNumber),
        data: offRamp.encodeFunctionData('execute', [message]),
        // A call passes on at most 63/64 of the remaining gas.
        gasLimit: gasOfExecution + gasOfTokens * BigInt(tokenAmounts.length) + (receiverGas * 64n) / 60n,
      };
    },
    async next({ id, offRamp: to, sourceSelector, sequenceNumber, data, gasLimit }, chain) {
      const question = { to, abi: offRamp };
      // Off-ramps before version 1.1 tell messages apart by their sequence numbers only.
      const state =
        (await ask(chain, { ...question, name: 'getMessageState', args: [id] })) ??
        (await ask(chain, {
          ...question,
          name: 'getExecutionState',
          args: [sourceSelector, sequenceNumber],
        }));
      if (state === undefined) throw new AppError('Unavailable', `there is no off-ramp at ${to}`);
      if (state === states.success) return { kind: 'delivered' };
      return { kind: 'send', name: 'execute', transaction: { to, data, gasLimit } };
    },
  };
}

/** Undefined for a log that is longer than any that an on-ramp writes: whoever sets the code of a contract writes others. */
function sentIn(event: EventFragment, log: ChainLog): SentMessage | undefined {
  const values = decodeLogValues(event, log);
  return values && (plainMembers(event.inputs, values).message as SentMessage);
}

/** Both known encodings start with the gas limit, after a four-byte tag. */
const endOfGas = 36;

/** Undefined for arguments of another encoding. */
function receiverGasOf(extraArgs: string): bigint | undefined {
  if (extraArgs === '0x') return defaultReceiverGas;
  return dataLength(extraArgs) < endOfGas ? undefined : BigInt(dataSlice(extraArgs, 4, endOfGas));
}

const addressType = [ParamType.from('address')];
const addressIn = (data: string) => decodeValues(addressType, data)?.[0];

/** The message in the form that the off-ramp takes. Undefined if what it names as an address is not one. */
function arriving({ header, sender, data, ...sent }: SentMessage, gasLimit: bigint): unknown[] | undefined {
  const coder = AbiCoder.defaultAbiCoder();
  const receiver = addressIn(sent.receiver);
  const destinations = sent.tokenAmounts.map((one) => addressIn(one.destTokenAddress));
  if ([receiver, ...destinations].includes(undefined)) return undefined;
  const tokens = sent.tokenAmounts.map((one, index) => [
    coder.encode(['address'], [one.sourcePoolAddress]),
    destinations[index],
    0,
    one.extraData,
    one.amount,
  ]);
  return [Object.values(header), coder.encode(['address'], [sender]), data, receiver, gasLimit, tokens];
}
