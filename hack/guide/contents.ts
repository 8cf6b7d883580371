/** A group of pages in the index of the documentation. */
interface Group {
  title: string;
  /** Names of documents below docs, without their endings. */
  documents: readonly string[];
}

/** The documents in the order in which they are read. Decisions follow by themselves. */
export const contents: readonly Group[] = [
  {
    title: 'By role',
    documents: [
      'roles/contract-developer',
      'roles/test-engineer',
      'roles/platform-engineer',
      'roles/security-reviewer',
    ],
  },
  {
    title: 'Networks',
    documents: ['networks', 'tour', 'testing', 'snapshots', 'addresses', 'events', 'webhooks'],
  },
  {
    title: 'Chains',
    documents: [
      'chains',
      'light-engine',
      'extra-arguments',
      'plugins',
      'plugins/chainlink',
      'plugins/dfns',
      'plugins/graph',
      'plugins/uniswap',
      'plugins/vrf',
    ],
  },
  { title: 'Contracts', documents: ['tokens', 'verification'] },
  {
    title: 'Interfaces',
    documents: ['console', 'cli', 'sdk', 'api', 'agents', 'clients', 'versions', 'behaviour'],
  },
  {
    title: 'Operations',
    documents: [
      'install',
      'native-node',
      'operations',
      'keys',
      'sign-in',
      'observability',
      'metrics',
      'performance',
      'security',
      'licences',
    ],
  },
  { title: 'How it works', documents: ['architecture', 'adding', 'behaviour-tests', 'patterns'] },
];
