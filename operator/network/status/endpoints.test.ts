import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import type { ChainType } from '../../../core/api/resources/chainSpecs.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import { servicesByAccess } from './endpoints.ts';

const plan = { services: { rpc: { part: 'rpc', port: 'rpc' } }, parts: [], caveats: [] };

function servicesOf(type: ChainType, url: string) {
  const network = asStored(aNetwork());
  const facts = {
    network: { ...network, spec: { ...network.spec, chain: { type } } },
    installation: {
      publicUrl: 'http://gateway',
      serviceDomain: '',
      compilers: { url, maxContracts: 1, maxMiB: 1 },
    },
    accessKeys: aKeyring('access key'),
  };
  return servicesByAccess(plan, facts).public;
}

it.each<[string, ChainType, string, string[]]>([
  [
    'an EVM network is verified where there are compilers',
    'Base',
    'http://compilers',
    ['rpc', 'ws', 'verify'],
  ],
  ['an EVM network is not verified without compilers', 'Base', '', ['rpc', 'ws']],
  ['other families have no contracts to verify', 'Solana', 'http://compilers', ['rpc', 'ws']],
])('%s', (_what, type, url, expected) => {
  expect(servicesOf(type, url)).toEqual(expected);
});
