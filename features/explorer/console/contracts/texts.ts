/** English. */
export const texts = {
  title: 'Contracts',
  search: 'Name or token',
  name: 'Name',
  address: 'Address',
  origin: 'Origin',
  token: 'Token',
  origins: {
    verified: 'Verified',
    token: 'Token',
    browser: 'ABI in this browser',
  },
  role: (role: string) => (role === 'token' ? '' : ` ${role.replaceAll('_', ' ')}`),
  more: (shown: number) => `The first ${shown} contracts. Search for a name to see others.`,
  noneFound: 'No contract or token with this name is known on the current chain.',
  emptyTitle: 'No contract is known by name yet',
  emptyText:
    'Deploy a contract from its artifact, verify one with Forge or Hardhat at the endpoint "verify" of the network, or deploy a token, and it appears here. So does a contract whose ABI you add on its page. What only this browser knows stays in it.',
  deploy: 'Deploy a token',
  endpoints: 'Endpoints of the network',
} as const;
