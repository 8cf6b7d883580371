import { currencyOf } from '../../../../sdk/src/currency.ts';
import type { Currency } from '../../../../sdk/src/generated/currencies.ts';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { isEvm } from '../../lib/chains.ts';
import { masked } from './endpoints.ts';

/** What the beginnings have of a network. */
interface Facts {
  name: string;
  chainId: string;
  rpc: string;
  ws: string;
  rest: string;
  currency: Currency;
}

type Beginning = (facts: Facts) => string;

const blockNumber = '\'{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}\'';

const evmTools: Readonly<Record<string, Beginning>> = {
  Foundry: ({ rpc }) => `export ETH_RPC_URL='${rpc}'\ncast block-number`,
  Hardhat: ({ rpc, chainId: id }) => `networks: {
  slipway: {
    type: 'http', // Hardhat 3; leave it out in Hardhat 2
    url: '${rpc}',
    chainId: ${id},
  },
},`,
  viem: ({
    name,
    rpc,
    chainId: id,
    currency,
  }) => `import { createPublicClient, defineChain, http } from 'viem';

const chain = defineChain({
  id: ${id},
  name: '${name}',
  nativeCurrency: { name: '${currency.name}', symbol: '${currency.symbol}', decimals: ${currency.decimals} },
  rpcUrls: { default: { http: ['${rpc}'] } },
});
const client = createPublicClient({ chain, transport: http() });
console.log(await client.getBlockNumber());`,
  ethers: ({ rpc }) => `import { JsonRpcProvider } from 'ethers';

const provider = new JsonRpcProvider('${rpc}');
console.log(await provider.getBlockNumber());`,
  curl: ({ rpc }) => `curl -s '${rpc}' -H 'Content-Type: application/json' \\\n  -d ${blockNumber}`,
  Wallet: ({ name, rpc, chainId: id, currency: { symbol } }) =>
    `Network name: ${name}\nRPC URL: ${rpc}\nChain ID: ${id}\nCurrency symbol: ${symbol}`,
};

const solanaTools: Readonly<Record<string, Beginning>> = {
  'Solana CLI': ({ rpc, ws }) => `solana config set --url '${rpc}'${ws && ` --ws '${ws}'`}
solana airdrop 10
solana slot`,
  Anchor: ({ rpc }) => `# Anchor.toml
[provider]
cluster = "${rpc}"
wallet = "~/.config/solana/id.json"`,
  Kit: ({ rpc }) => `import { createSolanaRpc } from '@solana/kit';

const rpc = createSolanaRpc('${rpc}');
console.log(await rpc.getSlot().send());`,
  'web3.js': ({ rpc, ws }) => `import { Connection } from '@solana/web3.js';

const connection = new Connection('${rpc}'${ws && `, { wsEndpoint: '${ws}' }`});
console.log(await connection.getSlot());`,
  curl: ({ rpc }) => `curl -s '${rpc}' -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"getSlot"}'`,
};

const thorchainTools: Readonly<Record<string, Beginning>> = {
  curl: ({ rpc, rest }) => `curl -s '${rpc}/status'${rest && `\ncurl -s '${rest}/thorchain/pools'`}`,
};

/** Ready-made beginnings for tools; the texts have the URLs with their keys, what is shown has them masked. */
export function toolSnippets({
  name,
  spec,
  status,
}: Network): { name: string; text: string; shown: string }[] {
  const { endpoints = {}, chainID: chainId = '' } = status ?? {};
  const { rpc, ws = '', rest = '' } = endpoints;
  if (!rpc) return [];
  const { type } = spec.chain;
  const facts = { name, chainId, rpc, ws, rest, currency: currencyOf(type) };
  const urls = [rpc, ws, rest].filter((url) => url !== '');
  return Object.entries(toolsOf(type)).map(([tool, beginning]) => {
    const text = beginning(facts);
    return { name: tool, text, shown: urls.reduce((shown, url) => shown.replaceAll(url, masked(url)), text) };
  });
}

function toolsOf(type: string): Readonly<Record<string, Beginning>> {
  if (isEvm(type)) return evmTools;
  if (type === 'Solana') return solanaTools;
  return type === 'Thorchain' ? thorchainTools : {};
}
