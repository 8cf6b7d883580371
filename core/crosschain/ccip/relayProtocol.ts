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
      const { header } = sent;
      const destination = bySelector.get(BigInt(header.destChainSelector));
      if (!destination) return undefined;
      const receiverGas = receiverGasOf(sent.extraArgs);
      return {
        id: header.messageId,
        to: destination.id,
        offRamp: destination.offRamp,
        sourceSelector: BigInt(header.sourceChainSelector),
        sequenceNumber: BigInt(header.sequenceNumber),
        data: offRamp.encodeFunctionData('execute', [arriving(sent, receiverGas)]),
        // A call passes on at most 63/64 of the remaining gas.
        gasLimit: gasOfExecution + gasOfTokens * BigInt(sent.tokenAmounts.length) + (receiverGas * 64n) / 60n,
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

/** Undefined for a log that no on-ramp writes, but whoever sets the code of a contract: too long, or with addresses that are none. */
function sentIn(event: EventFragment, log: ChainLog): SentMessage | undefined {
  const values = decodeLogValues(event, log);
  const message = values && (plainMembers(event.inputs, values).message as SentMessage);
  return message && isDeliverable(message) ? message : undefined;
}

function isDeliverable({ receiver, tokenAmounts, extraArgs }: SentMessage): boolean {
  const addresses = [receiver, ...tokenAmounts.map((one) => one.destTokenAddress)];
  const hasGas = extraArgs === '0x' || dataLength(extraArgs) >= endOfGas;
  return hasGas && addresses.every((one) => addressIn(one) !== undefined);
}

const addressType = [ParamType.from('address')];
const addressIn = (data: string) => decodeValues(addressType, data)?.[0];

/** Both known encodings start with the gas limit, after a four-byte tag. */
const endOfGas = 36;

function receiverGasOf(extraArgs: string): bigint {
  return extraArgs === '0x' ? defaultReceiverGas : BigInt(dataSlice(extraArgs, 4, endOfGas));
}

/** The message in the form that the off-ramp takes. */
function arriving(sent: SentMessage, gasLimit: bigint): unknown[] {
  const coder = AbiCoder.defaultAbiCoder();
  const { header, sender, data, receiver } = sent;
  const tokens = sent.tokenAmounts.map((one) => [
    coder.encode(['address'], [one.sourcePoolAddress]),
    addressIn(one.destTokenAddress),
    0,
    one.extraData,
    one.amount,
  ]);
  return [
    Object.values(header),
    coder.encode(['address'], [sender]),
    data,
    addressIn(receiver),
    gasLimit,
    tokens,
  ];
}
