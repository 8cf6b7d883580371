/** English. */
export const texts = {
  title: 'Recordings',
  start: 'Start recording',
  search: 'Search by name or wallet',
  selectorHint: 'metadata.labels.team == core',
  count: (shown: number, all: number) =>
    shown === all ? `${all} ${all === 1 ? 'recording' : 'recordings'}` : `${shown} of ${all} recordings`,
  columns: {
    name: 'Name',
    wallet: 'Wallet',
    state: 'State',
    transactions: 'Transactions',
    networks: 'Networks',
    started: 'Started',
  },
  emptyTitle: 'Record the transactions of a wallet',
  emptyText:
    'A recording keeps every transaction that a wallet sends to some networks. It can be replayed on the same or on other networks, and shows where outcomes differ.',
  emptyReader:
    'There is no recording in this workspace yet. Your key may read recordings, but not start them.',
  name: 'Name',
  nameHint: 'Such as "upgrade". Generated when empty.',
  wallet: 'Wallet',
  walletHint: 'The address whose transactions are recorded.',
  labels: 'Labels',
  labelsHint: 'key=value, separated by commas.',
  noNetwork: 'Choose at least one network.',
  cancel: 'Cancel',
  started: 'The recording has started.',
  refused: 'The recording was not started',
  forbiddenTitle: 'Your key may not read recordings',
  forbiddenText: 'Ask an admin of the workspace for a role that may.',
};
