import { sendByWallet } from './sendByWallet.ts';

const sending = {
  chainId: '31337',
  to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  data: '0xd09de08a',
  value: 10n ** 19n,
};

function walletOn(chainId: string) {
  const calls: { method: string; params?: unknown[] }[] = [];
  const answers: Record<string, unknown> = {
    eth_requestAccounts: ['0xann'],
    eth_chainId: chainId,
    eth_sendTransaction: '0xhash',
  };
  const request = async (call: { method: string; params?: unknown[] }) => {
    calls.push(call);
    return answers[call.method];
  };
  return { calls, provider: { request } };
}

it('has the wallet send from its account, with the whole amount', async () => {
  const { calls, provider } = walletOn('0x7a69');
  expect(await sendByWallet(provider, sending)).toBe('0xhash');
  expect(calls.at(-1)).toEqual({
    method: 'eth_sendTransaction',
    params: [{ from: '0xann', to: sending.to, data: sending.data, value: '0x8ac7230489e80000' }],
  });
});

it('sends nothing by a wallet that is on another chain', async () => {
  const { calls, provider } = walletOn('0x1');
  await expect(sendByWallet(provider, sending)).rejects.toThrow('Switch it to chain 31337 first');
  expect(calls.map(({ method }) => method)).not.toContain('eth_sendTransaction');
});
