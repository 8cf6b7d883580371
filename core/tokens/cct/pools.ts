import { AbiCoder } from 'ethers';
import { ccip, chainSelectorOf } from '../../crosschain/ccip/ccipNetwork.ts';
import type { TokenContracts } from '../../deploy/artifacts.ts';
import { reads, readsAtLeast } from '../../deploy/reads.ts';
import type { Known, Step } from '../../deploy/step.ts';
import { call, create, deploymentIncarnationOf, inspect, ownSteps, stepId } from '../../deploy/steps.ts';
import { ask } from '../../evm/contractCalls.ts';
import type { DeploymentTarget, TokenNetwork, TokenPlan } from '../standard.ts';
import { issuedAtFirst, liquidityOf, pool, tokenOf, tokenStepOf, wrappedDecimals } from './token.ts';

function poolContract({ mechanism }: TokenPlan, contracts: TokenContracts) {
  return contracts.cct(mechanism === 'burn-mint' ? 'BurnMintPool' : 'LockReleasePool');
}

/** The pool; a lock-release pool also gets its liquidity, which the deployer may withdraw and provide. */
export function poolSteps(target: DeploymentTarget): Step[] {
  const { plan, network, contracts } = target;
  const contract = poolContract(plan, contracts);
  const decimalsOf = (known: Known) => known.find(network.id, wrappedDecimals) ?? plan.decimals;
  const at = (known: Known, name: string) => known.get(network.id, name);
  const creation = create(ownSteps(plan, network), {
    name: pool,
    title: 'deploys the pool',
    contract,
    after: [tokenStepOf(network), stepId(network, ccip.router), stepId(network, ccip.riskProxy)],
    args: (known) => [
      tokenOf(network, known),
      decimalsOf(known),
      [],
      at(known, ccip.riskProxy),
      at(known, ccip.router),
    ],
  });
  return plan.mechanism === 'burn-mint' ? [creation] : [creation, ...lockReleaseSteps(target)];
}

function lockReleaseSteps({ plan, network, contracts }: DeploymentTarget): Step[] {
  const { abi } = poolContract(plan, contracts);
  const { deployer } = plan.accounts;
  const token = contracts.cct('CrossChainToken').abi;
  const liquidity = liquidityOf(network.args);
  const poolOf = (known: Known) => known.get(network.id, pool);
  const rebalancer = call(ownSteps(plan, network), {
    name: 'rebalancer',
    title: 'lets the deployer move liquidity',
    after: [stepId(network, pool)],
    call: (known) => ({ to: poolOf(known), abi, name: 'setRebalancer', args: [deployer] }),
    reads: (known) => [reads({ to: poolOf(known), abi, name: 'getRebalancer' }, deployer)],
  });
  if (liquidity === 0n) return [rebalancer];
  const filling = call(ownSteps(plan, network), {
    name: 'liquidity',
    title: 'fills the pool',
    after: [stepId(network, pool)],
    call: (known) => ({
      to: tokenOf(network, known),
      abi: token,
      name: 'issue',
      args: [poolOf(known), liquidity],
    }),
    // The total ever issued does not shrink when the liquidity is used.
    reads: (known) => [
      readsAtLeast(
        { to: tokenOf(network, known), abi: token, name: 'issued' },
        issuedAtFirst(network.args) + liquidity,
      ),
    ],
  });
  return [rebalancer, filling];
}

const encodeAddress = (address: string) => AbiCoder.defaultAbiCoder().encode(['address'], [address]);
const unlimited = [false, 0, 0];

/**
 * Registers the pool and the token on `to` with the pool on `from`, replacing former ones on that chain. Verifies the
 * result, and that no pool leads to itself.
 */
export function poolLaneSteps(
  plan: TokenPlan,
  [from, to]: [TokenNetwork, TokenNetwork],
  contracts: TokenContracts,
): Step[] {
  const { abi } = poolContract(plan, contracts);
  const selector = chainSelectorOf(to);
  const remotePool = (known: Known) => encodeAddress(known.get(to.id, pool));
  const remoteToken = (known: Known) => encodeAddress(tokenOf(to, known));
  const name = `lane:${to.id}@${deploymentIncarnationOf(to)}`;
  const look = `look:${name}`;
  const looking = inspect(from, {
    name: look,
    title: `finds out where the pool leads to on ${to.id}`,
    after: [stepId(from, pool)],
    async inspect(known, chain) {
      const asked = { to: known.get(from.id, pool), abi, name: 'isSupportedChain', args: [selector] };
      return { leads: (await ask(chain, asked)) ?? 'false' };
    },
  });
  // The pool refuses a chain that it knows already, so a new deployment there replaces the former one.
  const former = (known: Known) => (known.get(from.id, `${look}.leads`) === 'true' ? [selector] : []);
  const wiring = call(ownSteps(plan, from), {
    name,
    title: `connects the pool to the one on ${to.id}`,
    after: [stepId(from, look), stepId(to, pool), tokenStepOf(to)],
    call: (known) => ({
      to: known.get(from.id, pool),
      abi,
      name: 'applyChainUpdates',
      args: [former(known), [[selector, [remotePool(known)], remoteToken(known), unlimited, unlimited]]],
    }),
    reads(known) {
      const asked = (name: string, ...args: unknown[]) => ({ to: known.get(from.id, pool), abi, name, args });
      return [
        reads(asked('isRemotePool', selector, remotePool(known)), true),
        reads(asked('getRemoteToken', selector), remoteToken(known)),
        reads(asked('isSupportedChain', chainSelectorOf(from)), false),
      ];
    },
  });
  return [looking, wiring];
}
