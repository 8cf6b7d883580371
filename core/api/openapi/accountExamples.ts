/** What the operations about the funded accounts of a network answer. */
export const accountExamples = (address: string, secret: string) => ({
  listNetworkAccounts: {
    response: {
      kind: 'FundedAccountList',
      version: 'v1alpha',
      items: [{ address, source: 'privateKeyRef', secret, hasKey: true }],
    },
  },
  getNetworkAccountKey: {
    response: { kind: 'FundedAccountKey', version: 'v1alpha', address, privateKey: `0x${'11'.repeat(32)}` },
  },
});
