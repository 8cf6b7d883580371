/** English. */
export const texts = {
  networks: 'Networks',
  how: 'Which networks',
  byList: 'Choose from the list',
  bySelector: 'By labels or other fields',
  selector: 'Selector',
  selectorHint: 'metadata.labels.team == core && status.state == Operational',
  selectorWrong:
    'This is not a valid selector: use field == value, field != value or field IN (a, b), joined by &&.',
  selected: (names: readonly string[], isList: boolean) =>
    names.length === 0
      ? isList
        ? 'None is chosen yet.'
        : 'No network matches.'
      : `${names.length} ${names.length === 1 ? 'network' : 'networks'}: ${names.slice(0, 12).join(', ')}${names.length > 12 ? ' …' : ''}`,
  find: 'Find by name',
  none: 'There are no networks of an EVM type in this workspace yet: create them first.',
  more: (count: number) => `${count} more: find them by name.`,
  noneFound: 'No network matches this name.',
  gone: 'deleted',
  yours: 'your account',
  copyHash: 'Copy the hash',
  copyAddress: 'Copy the address',
  search: 'Search by name',
  any: 'Any',
  clear: 'Clear filters',
  noneTitle: 'Nothing matches',
  noneText: 'Change the filters to see more.',
  loading: 'Loading',
  page: 'This page',
  theNetworks: 'The networks',
  notLoadedYet: 'Not loaded',
  otherErrors: 'The request was refused',
};
