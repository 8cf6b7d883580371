import { Interface } from 'ethers';
import type { TokenArgs } from '../../api/rules/tokenArgs.ts';
import { wholeNumber } from '../../api/rules/wholeNumber.ts';
import { ccip } from '../../crosschain/ccip/ccipNetwork.ts';
import type { Known, Step, StepId } from '../../deploy/step.ts';
import { create, inspect, ownSteps, stepId } from '../../deploy/steps.ts';
import type { ChainReader } from '../../evm/chainReader.ts';
import { ask, askValue, codeAt } from '../../evm/contractCalls.ts';
import type { DeploymentTarget, TokenNetwork } from '../standard.ts';
import { wrongArg } from '../wrongArg.ts';

const token = 'token';
const underlying = 'underlying';
/** What the contract of a wrapped token says. */
export const wrappedDecimals = `${underlying}.decimals`;
export const pool = 'pool';

export const erc20Abi = new Interface([
  'function decimals() view returns (uint8)',
  'function mint(address account, uint256 amount)',
  'function burn(uint256 amount)',
]);

/** What a registry says of a token. */
export interface TokenConfig {
  administrator: string;
  pendingAdministrator: string;
  tokenPool: string;
}

/** The token that the pools move: the wrapped one, or our own. */
export function tokenOf({ id, args }: TokenNetwork, known: Known): string {
  return args.underlying_token_address ?? known.get(id, token);
}

/** The step after which the token exists. */
export function tokenStepOf(network: TokenNetwork): StepId {
  return stepId(network, network.args.underlying_token_address ? underlying : token);
}

export function liquidityOf({ liquidity = 0 }: TokenArgs): bigint {
  return wholeNumber(liquidity);
}

/** The amount minted for the recipient: everything but the liquidity, unless the args name less. */
export function issuedAtFirst(args: TokenArgs): bigint {
  const rest = BigInt(args.total_supply ?? '0') - liquidityOf(args);
  const issued = BigInt(args.initial_supply ?? rest);
  if (rest < 0n || issued > rest) {
    throw wrongArg('liquidity', 'with initial_supply it must not be more than total_supply');
  }
  return issued;
}

/** Deploys our own token, or checks the one to wrap. */
export function cctTokenSteps(target: DeploymentTarget): Step[] {
  const { plan, network, contracts } = target;
  const address = network.args.underlying_token_address;
  if (address !== undefined) return [lookStep(target, address)];
  const { deployer } = plan.accounts;
  return [
    create(ownSteps(plan, network), {
      name: token,
      title: 'deploys the token',
      contract: contracts.cct('CrossChainToken'),
      args: () => [
        plan.name,
        plan.symbol,
        plan.decimals,
        BigInt(network.args.total_supply ?? '0'),
        issuedAtFirst(network.args),
        deployer,
        network.args.recipient || deployer,
      ],
    }),
  ];
}

function lookStep({ plan, network, contracts }: DeploymentTarget, address: string): Step {
  return inspect(network, {
    name: underlying,
    title: 'checks the token to wrap',
    after: [stepId(network, ccip.registry)],
    async inspect(known, chain) {
      const code = await codeAt(chain, address);
      if (code === '0x') {
        throw wrongArg('underlying_token_address', `there is no contract at ${address} on this network`);
      }
      const decimals = await ask(chain, { to: address, abi: erc20Abi, name: 'decimals' });
      if (decimals === undefined) {
        throw wrongArg('underlying_token_address', `${address} is not an ERC-20 token: it has no decimals()`);
      }
      if (plan.mechanism === 'burn-mint') await demandBurnAndMint(chain, address, code);
      await demandUnregistered(chain, { plan, network, contracts }, known);
      return { decimals };
    },
  });
}

/** EIP-1967: the slot in which upgradeable proxies keep the address of their implementation. */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

async function demandBurnAndMint(chain: ChainReader, address: string, code: string): Promise<void> {
  const slot = String(await chain.call('eth_getStorageAt', [address, implementationSlot, 'latest']));
  const implementation = `0x${slot.slice(-40)}`;
  const behind = /[1-9a-f]/.test(implementation.slice(2)) ? await codeAt(chain, implementation) : '';
  const missing = ['mint', 'burn'].filter((name) => {
    const selector = erc20Abi.getFunction(name)?.selector.slice(2) ?? '';
    return !code.includes(selector) && !behind.includes(selector);
  });
  if (missing.length === 0) return;
  const message = `${address} has no function ${missing.join(' and ')}: burn-mint pools need mint(address,uint256) and burn(uint256). Use lock-release`;
  throw wrongArg('underlying_token_address', message);
}

/** A registry knows one pool for each token; another user's pool is not replaced. */
async function demandUnregistered(chain: ChainReader, target: DeploymentTarget, known: Known): Promise<void> {
  const { plan, network, contracts } = target;
  const address = tokenOf(network, known);
  const { abi } = contracts.cct('TokenAdminRegistry');
  const question = { to: known.get(network.id, ccip.registry), abi, name: 'getTokenConfig', args: [address] };
  const config = (await askValue(chain, question)) as TokenConfig | undefined;
  if (!config) return;
  const own = [nobody, plan.accounts.deployer.toLowerCase()];
  const isForeign = !own.includes(config.administrator.toLowerCase());
  const ownPool = known.find(network.id, pool)?.toLowerCase() ?? nobody;
  if (!isForeign && [nobody, ownPool].includes(config.tokenPool.toLowerCase())) return;
  const message = `${address} is already registered with another pool on this network (${config.tokenPool})`;
  throw wrongArg('underlying_token_address', message);
}

const nobody = `0x${'0'.repeat(40)}`;
