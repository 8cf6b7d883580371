import { slipway } from '../../core/api/access/rbac/rule.ts';
import type { Feature } from '../../core/api/feature.ts';
import { isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import { age, text } from '../../core/api/resources/definition.ts';
import { contractSchema } from './api/contract.ts';
import { examples } from './api/examples.ts';
import { contractOperations } from './api/operations.ts';
import { compilerSettingsSchema } from './api/settings.ts';
import { verifiedContractSpecSchema, verifiedContractType } from './api/verifiedContract.ts';

/** Compares contracts on networks with their sources, which compilers of the installation compile. */
export const feature = {
  groups: [
    {
      name: 'Contracts',
      description: 'Contracts of networks that are known by name.',
      operations: contractOperations,
      reads: ['Network'],
    },
  ],
  schemas: { Contract: contractSchema },
  examples,
  client: {
    nouns: { Contract: 'contracts' },
    groups: { contracts: 'Contracts of networks that are known by name.' },
  },
  settings: { compilers: compilerSettingsSchema },
  budgets: {
    verifications: 'contracts of a network that are being verified',
    contractLookups: 'verified contracts that are looked up from one address, or of an account',
  },
  resources: [
    {
      type: verifiedContractType,
      description: 'A contract whose sources were compared with its bytecode. Written only by the service.',
      shortName: 'bver',
      category: 'slipway-internal',
      spec: verifiedContractSpecSchema,
      columns: [
        text('Network', '.spec.network', 'Name of the network.'),
        text('Address', '.spec.address', 'Address of the contract.'),
        text('Contract', '.spec.verified.name', 'Source file and contract.'),
        text('Match', '.spec.verified.match', 'How it compares with its sources.'),
        age,
      ],
      selectable: ['.spec.network'],
      counted: { kind: 'contracts', pageSize: 20 },
      isClosedToUsers: true,
      isOnlyCounted: true,
    },
  ],
  access: {
    apiserver: {
      cluster: [
        {
          reason: 'contracts are verified and served over REST',
          groups: slipway,
          resources: ['verifiedcontracts'],
          verbs: ['get', 'list', 'create', 'update', 'delete'],
        },
      ],
    },
    people: { view: ['verifiedcontracts'] },
  },
  services: [
    {
      name: 'verify',
      // Foundry appends v2/… to the URL as it is, also where that does not end with a slash.
      urls: { verify: '', verifyv2: '/v2' },
      isOffered: (chainType, { compilers }) =>
        isEvmChain(chainType) && Boolean(compilerSettingsSchema.safeParse(compilers).data?.url),
    },
  ],
} as const satisfies Feature;
