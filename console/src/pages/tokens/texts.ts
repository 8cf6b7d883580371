/** English. */
export const texts = {
  title: 'Tokens',
  deploy: 'Deploy token',
  type: 'Standard',
  selectorHint: 'type == ERC20 && metadata.labels.team == core',
  count: (shown: number, all: number) =>
    shown === all ? `${all} ${all === 1 ? 'token' : 'tokens'}` : `${shown} of ${all} tokens`,
  views: 'View',
  matrix: 'Matrix',
  list: 'List',
  columns: { token: 'Token', type: 'Standard', deployed: 'Deployed', created: 'Created' },
  deployedOf: (done: number, all: number) => `${done} of ${all} networks`,
  notThere: 'not deployed',
  moreNetworks: (count: number) =>
    `${count} more ${count === 1 ? 'network is' : 'networks are'} not shown: filter the tokens, or open one of them.`,
  matrixLabel: 'Tokens by network',
  emptyTitle: 'Deploy your first token',
  emptyText:
    'A token is deployed on one network or on many at once: as ERC20, as the permissioned ERC3643, or as a cross-chain token whose contracts are connected with each other.',
  emptyReader: 'There is no token in this workspace yet. Your key may read tokens, but not deploy them.',
  forbiddenTitle: 'Your key may not read tokens',
  forbiddenText: 'Ask an admin of the workspace for a role that may.',
};
