import type { ConsoleFeature } from '../../../console/src/feature.ts';

export const feature = {
  contractSource: (client, contract) => client.contracts.get(contract),
} as const satisfies ConsoleFeature;
