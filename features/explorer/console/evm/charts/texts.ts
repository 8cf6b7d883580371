/** English. */
export const texts = {
  title: (blocks: string) => `The last ${blocks} blocks`,
  gas: 'Gas used',
  transactions: 'Transactions',
  baseFee: 'Base fee in gwei',
  count: (count: string) => (count === '1' ? '1 transaction' : `${count} transactions`),
  at: (block: string, text: string) => `Block ${block}: ${text}`,
  summary: ({ least, most, newest }: { least: string; most: string; newest: string }) =>
    `least ${least} · most ${most} · newest ${newest}`,
} as const;
