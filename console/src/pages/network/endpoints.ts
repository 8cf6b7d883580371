import type { Network } from '../../../../sdk/src/generated/types.ts';
import { isEvm } from '../../lib/chains.ts';

/** URLs that most tools need first. */
const order = ['rpc', 'ws', 'admin', 'admin-ws'];

/** Service names and URLs, in the order of use. */
export function endpointsOf({ status }: Network): [string, string][] {
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(status?.endpoints ?? {}).sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
}

/** A URL without its access key: `/rpc/{network}/{key}/{service}`. */
export function masked(url: string): string {
  return url.replace(/(\/rpc\/[^/]+\/)([^/]+)/, '$1••••••••');
}

/** The parts whose logs can be read, as far as the URLs tell; empty when there is only one. */
export function logServices({ status }: Network): string[] {
  return Object.keys(status?.endpoints ?? {})
    .filter((name) => /^(el|cl)-\d+$/.test(name))
    .sort();
}

/** Ready-made beginnings for tools; the texts have the URL with its key. */
export function toolSnippets(network: Network): { name: string; text: string; shown: string }[] {
  const { endpoints = {}, chainID = '' } = network.status ?? {};
  const { rpc } = endpoints;
  if (!rpc || !isEvm(network.spec.chain.type)) return [];
  const texts = [
    { name: 'Foundry', text: `export ETH_RPC_URL=${rpc}\ncast block-number` },
    {
      name: 'Hardhat',
      text: `networks: {\n  slipway: {\n    type: 'http', // Hardhat 3; leave it out in Hardhat 2\n    url: '${rpc}',\n    chainId: ${chainID},\n  },\n},`,
    },
    {
      name: 'viem',
      text: [
        "import { createPublicClient, defineChain, http } from 'viem';",
        '',
        'const chain = defineChain({',
        `  id: ${chainID},`,
        `  name: '${network.name}',`,
        "  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },",
        `  rpcUrls: { default: { http: ['${rpc}'] } },`,
        '});',
        'const client = createPublicClient({ chain, transport: http() });',
        'console.log(await client.getBlockNumber());',
      ].join('\n'),
    },
    {
      name: 'Wallet',
      text: `Network name: ${network.name}\nRPC URL: ${rpc}\nChain ID: ${chainID}\nCurrency symbol: ETH`,
    },
  ];
  return texts.map((one) => ({ ...one, shown: one.text.replaceAll(rpc, masked(rpc)) }));
}
