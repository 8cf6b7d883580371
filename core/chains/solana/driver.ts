import type { EngineName, Engines } from '../../api/installation.ts';
import {
  defaultProfile,
  type Profile as ProfileName,
  type SolanaSpec,
} from '../../api/resources/chainSpecs.ts';
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
  refuse: (chain, engines) => refuse(chain.solana ?? {}, engines),
  headCall: solanaHeadCall,
  plan: (input) => profiles[profileOf(input.chain.solana)].plan(input),
};

function profileOf({ profile = defaultProfile }: SolanaSpec = {}): ProfileName {
  return profile;
}

function refuse(spec: SolanaSpec, engines: Engines): ErrorDetail[] {
  const profile = profileOf(spec);
  if (!engines[profiles[profile].engine]) return [withoutImage(spec, profile, engines)];
  const { forking } = spec;
  if (!forking?.enabled || forking.blockHeight === undefined || forking.blockHeight === 'latest') return [];
  const message =
    'is not supported: Solana nodes only serve the current state of accounts. Use "latest", or omit it';
  return [{ path: `${path}.forking.blockHeight`, message }];
}

const otherProfile = { light: 'real', real: 'light' } as const;

/** Says what to run, and the profile that can be used meanwhile. */
function withoutImage(spec: SolanaSpec, profile: ProfileName, engines: Engines): ErrorDetail {
  const { engine } = profiles[profile];
  const other = otherProfile[profile];
  const build = `build it with "make engines ENGINES=${engine}" and run "make up" again, or set engines.${engine} in the chart`;
  const instead = engines[profiles[other].engine] ? `; until then, use the profile "${other}"` : '';
  const what = spec.profile === undefined ? 'Solana' : `"${profile}"`;
  return {
    path: spec.profile === undefined ? 'spec.chain.type' : `${path}.profile`,
    message: `${what} is not yet available on this installation, which has no image for engines.${engine}: ${build}${instead}`,
  };
}
