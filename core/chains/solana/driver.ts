import type { EngineName } from '../../api/engines.ts';
import {
  defaultProfile,
  type Profile as ProfileName,
  type SolanaSpec,
} from '../../api/resources/chainSpecs.ts';
import type { EngineNeed } from '../../engines/needs.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { ChainDriver, EnginePlan, PlanInput } from '../driver.ts';
import { solanaHeadCall } from '../headCalls.ts';
import { refusePublicId } from '../publicIds.ts';
import { planLight } from './light.ts';
import { planReal } from './real.ts';

interface Profile {
  engine: EngineName;
  plan(input: PlanInput): EnginePlan;
}

const profiles: Readonly<Record<ProfileName, Profile>> = {
  light: { engine: 'solana-dev', plan: planLight },
  real: { engine: 'solana', plan: planReal },
};

/** Names of public clusters. Solana itself has no chain id: clusters are identified by the hash of their genesis. */
const publicIds: ReadonlySet<string> = new Set(['mainnet-beta', 'mainnet', 'testnet', 'devnet']);

const path = 'spec.chain.solana';

/** Solana: one light node that runs its programs without consensus, or one real validator. */
export const solana: ChainDriver = {
  mnemonicAccounts: 0,
  hotKeyKind: 'solana',
  generateChainId: (seed) => `solana-${seed.slice(0, 8)}`,
  refuseChainId: (chainId, isFork) => refusePublicId(publicIds, chainId, isFork),
  engines: (chain) => [needOf(chain.solana)],
  refuse: (chain) => refuse(chain.solana ?? {}),
  headCall: solanaHeadCall,
  plan: (input) => profiles[profileOf(input.chain.solana)].plan(input),
};

function profileOf({ profile = defaultProfile }: SolanaSpec = {}): ProfileName {
  return profile;
}

function needOf(spec: SolanaSpec = {}): EngineNeed {
  const profile = profileOf(spec);
  const { engine } = profiles[profile];
  const member = spec.profile === undefined ? 'spec.chain.type' : `${path}.profile`;
  const need: EngineNeed = { engine, path: member };
  return profile === 'light' ? need : { ...need, instead: 'use the profile "light"' };
}

function refuse({ forking }: SolanaSpec): ErrorDetail[] {
  if (!forking?.enabled || forking.blockHeight === undefined || forking.blockHeight === 'latest') return [];
  const message =
    'is not supported: Solana nodes only serve the current state of accounts. Use "latest", or omit it';
  return [{ path: `${path}.forking.blockHeight`, message }];
}
