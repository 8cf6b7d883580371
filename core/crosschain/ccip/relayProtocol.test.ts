import { zeroPadValue } from 'ethers';
import { contracts } from '../../tokens/testing/deploy.ts';
import { chainSelectorOf } from './ccipNetwork.ts';
import { ccipRelayProtocol } from './relayProtocol.ts';

const onRamp = contracts.cct('OnRamp').abi;
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const word = zeroPadValue(account, 32);
const network = (id: string) => ({ id, incarnation: 'one', onRamp: account, offRamp: account });
const [source, destination] = [network('a'), network('b')];
const token = {
  sourcePoolAddress: account,
  destTokenAddress: word,
  extraData: '0x',
  amount: 1n,
  destExecData: '0x',
};

/** A log as the contract at the address of the on-ramp writes it, whose code may be anybody's. */
function logOf(more: object) {
  const destChainSelector = chainSelectorOf(destination);
  const header = {
    messageId: word,
    sourceChainSelector: chainSelectorOf(source),
    destChainSelector,
    sequenceNumber: 3n,
    nonce: 4n,
  };
  const fees = { feeToken: account, feeTokenAmount: 0n, feeValueJuels: 0n };
  const message = {
    header,
    sender: account,
    data: '0x12',
    receiver: word,
    extraArgs: '0x',
    tokenAmounts: [token],
    ...fees,
  };
  const { topics, data } = onRamp.encodeEventLog('CCIPMessageSent', [
    destChainSelector,
    3n,
    { ...message, ...more },
  ]);
  return { topics, data, address: account, block: 1, blockHash: word, index: 0 };
}

const { parse } = ccipRelayProtocol([source, destination], contracts);
const parsed = (more: object = {}) =>
  parse({ network: 'a', incarnation: 'one', address: account, topic: '' }, logOf(more));

it('a message of the on-ramp is for the off-ramp of its destination, with the gas that it asks for', () => {
  expect(parsed()).toMatchObject({ id: word, to: 'b', sequenceNumber: 3n, gasLimit: 963_333n });
  const extraArgs = `0x181dcf10${'0'.repeat(60)}ea60`;
  expect(parsed({ extraArgs })).toMatchObject({ gasLimit: 814_000n });
});

it.each([
  ['is longer than is decoded', { tokenAmounts: Array(300).fill(token) }],
  ['has a receiver that is not an address', { receiver: '0x1234' }],
  ['has a token that is not an address', { tokenAmounts: [{ ...token, destTokenAddress: '0x' }] }],
  ['has arguments without gas', { extraArgs: '0x181dcf10' }],
])('a message that %s is left out, and the next one is read', (_case, more) => {
  expect(parsed(more)).toBeUndefined();
});
