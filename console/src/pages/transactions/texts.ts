/** English. */
export const texts = {
  title: 'Transactions',
  submit: 'Submit transactions',
  searchHash: 'Search by hash',
  selectorHint: 'state == failed && from == 0x…',
  state: 'State',
  network: 'Network',
  count: (shown: number) => `${shown} ${shown === 1 ? 'transaction' : 'transactions'}`,
  bounded: (count: number) => `The newest ${count}: filter to see older ones.`,
  columns: {
    hash: 'Transaction',
    state: 'State',
    network: 'Network',
    from: 'From',
    nonce: 'Nonce',
    at: 'Submitted',
  },
  queues: 'Sender queues',
  queuesHint:
    'Open transactions, by sender and network. The transactions of a queue are mined in order.',
  queueColumns: {
    sender: 'Sender',
    network: 'Network',
    open: 'Open',
    next: 'Next nonce',
    waits: 'Waits for',
  },
  open: (count: number, oldest: string) => `${count}, the oldest ${oldest}`,
  moreQueues: (count: number) => `${count} more ${count === 1 ? 'queue' : 'queues'}`,
  nothing: 'Nothing',
  emptyTitle: 'No transactions yet',
  emptyText:
    'Transactions that are submitted here or over the API are signed with your key, stored, and sent until they are mined. They are listed for about a day.',
  forbiddenTitle: 'Your key may not read transactions',
  forbiddenText: 'Ask an admin of the workspace for a role that may.',
  wrote: (address: string) => `created ${address}`,
};
