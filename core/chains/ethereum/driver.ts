import type { EthereumSpec } from '../../api/resources/chainSpecs.ts';
import type { ChainSpec } from '../../api/resources/network.ts';
import { consensusCaveat } from '../../api/rules/consensusFields.ts';
import type { ChainDriver, EnginePlan, PlanInput } from '../driver.ts';
import type { GenesisContract } from '../systemAccounts.ts';
import type { SystemContracts } from '../systemContracts.ts';
import { planParticipants } from './plan.ts';
import { enginesOfParticipants, refuseParticipants } from './refusals.ts';

/** Our own contracts that exist on a chain from the start, by address. */
export type OwnContracts = (code: SystemContracts) => Readonly<Record<string, GenesisContract>>;

/**
 * Ethereum in two forms: `base` runs networks without participants; each participant is an execution client, a
 * consensus client and a validator client.
 */
export function withParticipants(base: ChainDriver, ownContracts: OwnContracts): ChainDriver {
  return {
    ...base,
    engines(chain) {
      const spec = participantsSpecOf(chain);
      return spec ? enginesOfParticipants(spec) : base.engines(chain);
    },
    refuse(chain, set) {
      const spec = participantsSpecOf(chain);
      return spec ? refuseParticipants(spec, set) : (base.refuse?.(chain, set) ?? []);
    },
    plan(input): EnginePlan {
      const spec = participantsSpecOf(input.chain);
      if (!spec) return withCaveat(base.plan(input), consensusCaveat(input.chain));
      return planParticipants({ ...input, spec, contracts: contractsOf(input, ownContracts) });
    },
  };
}

function withCaveat(plan: EnginePlan, caveat: string | undefined): EnginePlan {
  return caveat === undefined ? plan : { ...plan, caveats: [...plan.caveats, caveat] };
}

function participantsSpecOf({ ethereum }: ChainSpec): EthereumSpec | undefined {
  return ethereum?.participants?.length ? ethereum : undefined;
}

function contractsOf({ systemContracts }: PlanInput, ownContracts: OwnContracts) {
  return systemContracts ? ownContracts(systemContracts) : {};
}
