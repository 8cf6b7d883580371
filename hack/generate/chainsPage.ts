import type { EvmChain, Placement } from '../../core/chains/evm/chain.ts';
import { multicall3 } from '../../core/chains/evm/contracts.ts';
import { evmChains } from '../../core/chains/evm/evmChains.ts';
import { presentText, withSection } from './section.ts';

const path = 'docs/chains.md';

/** docs/chains.md: its table of chain types, and the contracts and limits of each. The rest is written by hand. */
export function chainsPage() {
  const table = `${tableHead}${evmChains.map(rowOf).join('')}`;
  const details = evmChains.map(detailsOf).join('\n');
  const page = withSection(presentText(path), 'EVM chain types', table);
  return { path, text: withSection(page, 'contracts and limits', details) };
}

const tableHead = `| type | public chain | currency | public id | generated ids | public block time | rules (\`--hardfork\`) | block gas limit | first base fee |
|---|---|---|---|---|---|---|---|---|
`;

function rowOf(chain: EvmChain): string {
  const { type, name, currency, publicChainId, chainIdPrefix, blockTimeSeconds, gasLimit, baseFeeWei } =
    chain;
  const cells = [
    ...[type, name, currency.symbol, publicChainId],
    ...[String(chainIdPrefix).padEnd(10, 'x'), `${blockTimeSeconds} s`, rulesOf(chain)],
    ...[`${gasLimit / 1e6} M`, baseFeeWei === 0 ? '0' : `${baseFeeWei / 1e9} gwei`],
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function rulesOf({ hardfork, network }: EvmChain): string {
  return network === 'ethereum' ? hardfork : `${hardfork}, \`--network ${network}\``;
}

function detailsOf({ type, contracts, caveats, limits = [], feeRecipient, remark }: EvmChain): string {
  const own = contracts.filter(({ address }) => address !== multicall3.address);
  const isContract = contracts.some(({ address }) => address === feeRecipient);
  const tips = feeRecipient === undefined || isContract ? [] : [`Tips go to \`${feeRecipient}\`.`];
  const bullets = [...caveats, ...limits].map((limit) => `- ${limit}\n`).join('');
  const paragraphs = [
    `## ${type}\n${contractTable(own)}`,
    ...[...tips, ...(remark === undefined ? [] : [remark])].map((text) => `${text}\n`),
    ...(bullets === '' ? [] : [`Differences from the public chain:\n${bullets}`]),
  ];
  return paragraphs.join('\n');
}

function contractTable(contracts: readonly Placement[]): string {
  const rows = contracts.map(
    ({ title, contract, address, purpose }) => `| ${title ?? contract} | \`${address}\` | ${purpose} |\n`,
  );
  return `| contract | address | what it does |\n|---|---|---|\n${rows.join('')}`;
}
