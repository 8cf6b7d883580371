/** English. */
export const texts = {
  title: 'Networks',
  create: 'Create network',
  search: 'Search by name',
  state: 'State',
  type: 'Type',
  any: 'Any',
  selector: 'Selector',
  selectorHint: 'status.state == Stopped && metadata.labels.team == core',
  selectorWrong:
    'This is not a selector: write field == value, field != value or field IN (a, b), joined by &&.',
  clear: 'Clear filters',
  count: (shown: number, all: number) =>
    shown === all ? `${all} ${all === 1 ? 'network' : 'networks'}` : `${shown} of ${all} networks`,
  columns: { name: 'Name', state: 'State', type: 'Type', chainId: 'Chain ID', created: 'Created' },
  step: (current: number, total: number) => `${current}/${total}`,
  loading: 'Loading networks',
  emptyTitle: 'Create your first network',
  emptyText:
    'A network is a blockchain of your own: an Ethereum, Solana or other chain that starts in seconds and stops when nobody uses it.',
  emptyReader: 'There is no network in this workspace yet. Your key may read networks, but not create them.',
  noneTitle: 'No network matches',
  noneText: 'Change the filters to see other networks of this workspace.',
};
