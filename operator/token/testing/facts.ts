import { Contract, JsonRpcProvider, type TransactionResponse, ZeroAddress, ZeroHash } from 'ethers';
import type { TokenResource } from '../../../core/api/resources/tokenResource.ts';
import type { TokenType } from '../../../core/api/rules/tokenArgs.ts';
import type { TokenContract } from '../../../core/deploy/artifacts.ts';
import type { SceneNetwork } from '../../../core/outbox/testing/scene.ts';
import { tokenContractsForTests } from '../../../hack/contracts/forTests.ts';
import { deploymentOn } from './operator.ts';

/** Who sends for a token. */
export type Accounts = Record<'deployer' | 'service', string>;

/** Names of a token's contracts and of the values that differ between its networks, as in its status. */
type Names = Record<string, string>;
/** `meant`: whose names replace the addresses in the answer; its own when absent. */
interface Question {
  of: string;
  contract: TokenContract;
  views: string[];
  args?: unknown[];
  meant?: Names;
}
type Questions = (at: Names, others: Names[], accounts: Accounts) => Question[];

const contracts = tokenContractsForTests();

/** Supplies, roles, and how networks are connected. */
const questionsOf: Partial<Record<TokenType, Questions>> = {
  CCT(at, others, { deployer }) {
    const token = { of: 'token', contract: contracts.cct('CrossChainToken') };
    const pool = { of: 'pool', contract: contracts.cct('LockReleasePool') };
    const router = { of: 'router', contract: contracts.cct('Router') };
    const registry = { of: 'token_admin_registry', contract: contracts.cct('TokenAdminRegistry') };
    return [
      { ...token, views: ['totalSupply', 'issued', 'owner'] },
      { ...token, views: ['balanceOf'], args: [deployer] },
      { ...token, views: ['balanceOf'], args: [at.pool] },
      { ...token, views: ['hasRole'], args: [ZeroHash, deployer] },
      { ...pool, views: ['getToken', 'getRebalancer', 'getRouter', 'getRmnProxy', 'owner'] },
      { ...registry, views: ['getPool', 'getTokenConfig'], args: [at.token] },
      ...others.flatMap((meant): Question[] => {
        const { chain_selector = '' } = meant;
        const there = { args: [chain_selector], meant };
        return [
          { ...pool, views: ['isSupportedChain', 'getRemotePools', 'getRemoteToken'], ...there },
          { ...router, views: ['getOnRamp'], ...there, meant: { ...at, chain_selector } },
        ];
      }),
    ];
  },
  ERC3643(_at, _others, { deployer }) {
    const token = { of: 'token', contract: contracts.erc3643('TokenImplementation') };
    const registry = {
      of: 'identity_registry',
      contract: contracts.erc3643('IdentityRegistryImplementation'),
    };
    const compliance = { of: 'compliance', contract: contracts.erc3643('ComplianceImplementation') };
    return [
      { ...token, views: ['totalSupply', 'owner', 'paused', 'identityRegistry', 'compliance'] },
      { ...token, views: ['balanceOf', 'isAgent'], args: [deployer] },
      { ...registry, views: ['owner'] },
      { ...registry, views: ['isVerified', 'isAgent'], args: [deployer] },
      { ...compliance, views: ['getModules', 'getTokenBound', 'owner'] },
    ];
  },
  OFT(_at, others, { deployer }) {
    const token = { of: 'token', contract: contracts.oft('OmnichainToken') };
    return [
      { ...token, views: ['totalSupply', 'owner', 'endpoint'] },
      { ...token, views: ['balanceOf'], args: [deployer] },
      ...others.map((meant) => ({ ...token, views: ['peers'], args: [meant.endpoint_id], meant })),
    ];
  },
};

/**
 * What an independent client reads of a token on its networks, and the transactions that were sent for it there. Two
 * equal tokens give equal texts: names replace addresses.
 */
export async function factsOf(
  { spec, status }: TokenResource,
  networks: readonly SceneNetwork[],
  accounts: Accounts,
): Promise<object[]> {
  const names = networks.map(({ name }): Names => {
    const { tokenAddress = '', extraAddresses } = deploymentOn(status?.deployments, name) ?? {};
    return { token: tokenAddress, ...extraAddresses };
  });
  return Promise.all(
    networks.map(async ({ url }, i) => {
      const provider = new JsonRpcProvider(url);
      const [at = {}, others] = [names[i], names.filter((_, other) => other !== i)];
      const questions = questionsOf[spec.type]?.(at, others, accounts) ?? [];
      const answers = questions.flatMap(({ of, contract, views, args = [], meant = at }) =>
        views.map(async (view) => {
          const asked = new Contract(at[of] ?? '', contract.abi, provider).getFunction(view);
          return inWords(`${of}.${view}(${args}) = ${await asked(...args)}`, { ...accounts, ...meant });
        }),
      );
      return { answers: await Promise.all(answers), sent: await sentOn(provider, accounts) };
    }),
  );
}

/** Without 0x, since contracts pad addresses; all unknown addresses get the same name. */
function inWords(text: string, names: Names): string {
  const plain = text.toLowerCase().replaceAll(ZeroAddress, 'nobody');
  return Object.entries(names)
    .reduce((former, [name, meant]) => former.replaceAll(meant.toLowerCase().replace('0x', ''), name), plain)
    .replace(/0x[0-9a-f]{40}/g, 'a contract');
}

/** Each transaction of the accounts: the sender, and the selector it calls or the length of the creation code. */
async function sentOn(provider: JsonRpcProvider, accounts: Accounts): Promise<string[]> {
  const numbers = Array.from({ length: await provider.getBlockNumber() }, (_, i) => i + 1);
  const blocks = await Promise.all(numbers.map((number) => provider.getBlock(number, true)));
  const sent = blocks.flatMap((block) => block?.prefetchedTransactions ?? []);
  const wordOf = ({ from, to, data }: TransactionResponse) =>
    Object.entries(accounts)
      .filter(([, address]) => address === from)
      .map(([who]) => (to ? `${who} calls ${data.slice(0, 10)}` : `${who} creates from ${data.length}`));
  return sent.flatMap(wordOf).sort();
}
