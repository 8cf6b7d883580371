import type { Currency } from '../../sdk/src/generated/currencies.ts';
import { fail } from '../lib/failure.ts';

/** What tools need of a network. */
export interface NetworkFacts {
  name: string;
  chainId: string;
  /** Service to URL. The URLs contain access keys. */
  endpoints: Readonly<Record<string, string>>;
  currency: Currency;
  /** With which the user's scripts sign, if they may read one. */
  privateKey?: string | undefined;
}

/** The variables of a network, by the names that the snippets use: RPC_URL, ADMIN_WS_URL, EL_1_URL, CHAIN_ID, PRIVATE_KEY. */
function environmentOf({ chainId, endpoints, privateKey }: NetworkFacts): Record<string, string> {
  const urls = Object.entries(endpoints).map(([service, url]): [string, string] => [
    `${service.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_URL`,
    url,
  ]);
  return {
    ...Object.fromEntries(urls),
    ...(chainId ? { CHAIN_ID: chainId } : {}),
    ...(privateKey ? { PRIVATE_KEY: privateKey } : {}),
  };
}

/** `export NAME='value'` lines for `eval`. */
function shellExports(facts: NetworkFacts): string {
  const lines = Object.entries(environmentOf(facts)).map(
    ([name, value]) => `export ${name}=${quoted(value)}\n`,
  );
  return lines.join('');
}

/** In single quotes, where a shell expands nothing. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

type Snippet = (facts: NetworkFacts) => string;

const comment = (mark: string, { name }: NetworkFacts) =>
  `${mark} Set the variables first: eval "$(slipway network env ${name})"\n`;

const snippets = {
  shell: shellExports,
  foundry: (facts) => `${comment('#', facts)}# foundry.toml
[rpc_endpoints]
${facts.name} = "\${RPC_URL}"
${facts.name}-admin = "\${ADMIN_URL}"

# forge script script/Deploy.s.sol --rpc-url ${facts.name} --broadcast
# cast block-number --rpc-url "$RPC_URL"
`,
  hardhat: (facts) => hardhat(facts, "      type: 'http',\n"),
  hardhat2: (facts) => hardhat(facts, ''),
  viem: (facts) => `${comment('//', facts)}import { createPublicClient, defineChain, http } from 'viem';

const { RPC_URL = '', WS_URL = '', CHAIN_ID } = process.env;
export const chain = defineChain({
  id: Number(CHAIN_ID),
  name: '${facts.name}',
  nativeCurrency: { name: '${facts.currency.name}', symbol: '${facts.currency.symbol}', decimals: ${facts.currency.decimals} },
  rpcUrls: { default: { http: [RPC_URL], webSocket: [WS_URL] } },
});
export const client = createPublicClient({ chain, transport: http(RPC_URL) });
`,
  web3py: (facts) => `${comment('#', facts)}import os

from web3 import HTTPProvider, Web3

w3 = Web3(HTTPProvider(os.environ["RPC_URL"]))
print(w3.eth.chain_id, w3.eth.block_number)
`,
} as const satisfies Record<string, Snippet>;

export const tools = Object.keys(snippets);

/** The text for `--for <tool>`. Only `shell` contains URLs with their keys; the others read the variables. */
export function snippetFor(tool: string, facts: NetworkFacts): string {
  const found = Object.entries(snippets).find(([name]) => name === tool)?.[1];
  if (!found) throw fail('usage', `There is no snippet for "${tool}".`, `Use one of: ${tools.join(', ')}`);
  return found(facts);
}

function hardhat(facts: NetworkFacts, type: string): string {
  return `${comment('//', facts)}// hardhat.config.ts; set url to ADMIN_URL for tests that use the network helpers
export default {
  networks: {
    '${facts.name}': {
${type}      url: process.env.RPC_URL ?? '',
      chainId: Number(process.env.CHAIN_ID),
      accounts: process.env.PRIVATE_KEY ? [process.env.PRIVATE_KEY] : [],
    },
  },
};
`;
}
