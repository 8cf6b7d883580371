import { deriveSecret } from '../../../core/accounts/engineSecrets.ts';
import { keyOf } from '../../../core/accounts/keyring.ts';
import { originOf } from '../../../core/api/ids.ts';
import { isEvmChain } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import type { FromStatus } from '../../../core/api/resources/snapshot.ts';
import { developmentAccounts, fundsDevelopmentAccounts } from '../../../core/chains/developmentAccounts.ts';
import type { PlanInput } from '../../../core/chains/driver.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { hashOf } from '../../../core/lib/hash.ts';
import { withProfile } from '../../../core/networks/profiles.ts';
import { isOfIncarnation, nameOfPart } from '../render/childNames.ts';
import { withGenesis } from './checks/preparation.ts';
import { partsWithoutCopy } from './copies.ts';
import type { NetworkContext, NetworkFacts, PlannedNetwork, ResolvedReference } from './facts.ts';
import { wantedBlockOf } from './forkBlock.ts';
import { fromOf } from './from.ts';

type PlanContext = Pick<NetworkContext, 'facts' | 'isPersistent' | 'incarnation'>;

/** The driver's plan for a network that nothing blocks. */
export function planNetwork({ facts, isPersistent, incarnation }: PlanContext): PlannedNetwork {
  const from = fromOf(facts, incarnation);
  const chainId = chainIdOf(facts, from);
  const outline = facts.driver.plan(planInputOf(facts, { chainId, incarnation }));
  const begun = outline.preparation ? withGenesis(facts, outline.preparation, incarnation) : facts;
  const { network, installation, engineSet, forkSource } = begun;
  const input = planInputOf(begun, { chainId, incarnation });
  const planned = {
    facts: begun,
    network,
    installation,
    images: engineSet.images,
    chainId,
    hasVolumes: isPersistent || hasVolumes(facts, incarnation),
    plan: begun === facts ? outline : facts.driver.plan(input),
    genesisTime: input.genesisTime,
    forkSource: input.fork ? forkSource : undefined,
    fork: forkStatusOf(input, incarnation),
    from,
    accounts: describeAccounts(facts, from),
  };
  return { ...planned, partsWithoutCopy: partsWithoutCopy(planned) };
}

/** Whether an incarnation already has volumes: a network that is no longer persistent keeps them until it stops. */
function hasVolumes({ volumeClaims = [] }: NetworkFacts, incarnation: string): boolean {
  return volumeClaims.some(
    (claim) => isOfIncarnation(claim, incarnation) && !claim.metadata.deletionTimestamp,
  );
}

/**
 * The chain id from the spec or the status, or that of the snapshot, which a clone shares with its original; or else an
 * unused one derived from the network's origin.
 */
function chainIdOf(
  { network, driver, namedChainId, isChainIdTaken, isChainIdUsed }: NetworkFacts,
  from: FromStatus | undefined,
): string {
  if (namedChainId !== undefined) return namedChainId;
  const former = network.status?.chainID;
  if (former !== undefined && (former === from?.chainID || !isChainIdTaken(former))) return former;
  if (from) return from.chainID;
  for (let attempt = 0; ; attempt += 1) {
    const chainId = driver.generateChainId(hashOf([originOf(network), attempt]));
    if (!isChainIdUsed(chainId)) return chainId;
  }
}

interface Identity {
  chainId: string;
  incarnation: string;
}

function planInputOf(facts: NetworkFacts, { chainId, incarnation }: Identity): PlanInput {
  const fork = forkOf(facts, incarnation);
  const [hotAddress] = addressesOf(facts.hotKey);
  const validatorKey = facts.mnemonic?.kind === 'addresses' ? facts.mnemonic.validatorKey : undefined;
  const genesisTime = genesisTimeOf(facts.network, incarnation);
  const origin = originOf(facts.network);
  const engineKeyId = engineKeyIdOf(facts, incarnation);
  return {
    chain: withProfile(facts.network.spec, facts.network.status).chain,
    chainId,
    mnemonicAddresses: derivedAddresses(facts),
    memberAddresses: facts.memberAddresses ?? [],
    systemContracts: facts.systemContracts,
    deriveSecret: (purpose) => deriveSecret(keyOf(facts.engineKeys, engineKeyId), origin, purpose),
    hostOf: (part, plugin) => nameOfPart(facts.network, part, plugin),
    engines: facts.engineSet,
    ...compact({ validatorKey }),
    ...compact({ genesisTime }),
    ...compact({ hotAddress }),
    ...(fork ? { fork, clone: facts.installation.solana.clone } : {}),
  };
}

/**
 * A chain keeps the engine key that it began with: with another one its nodes would not find each other, and its
 * validators would not be those of its genesis. New chains begin with the newest key.
 */
export function engineKeyIdOf({ network, engineKeys }: NetworkFacts, incarnation: string): string {
  const { engineKey } = network.status ?? {};
  return engineKey?.incarnation === incarnation ? engineKey.id : engineKeys.currentId;
}

/** Genesis time of the current incarnation in Unix seconds; undefined until its preparation is over. */
function genesisTimeOf({ status }: Stored<NetworkResource>, incarnation: string): number | undefined {
  const { genesis } = status ?? {};
  return genesis?.incarnation === incarnation ? Date.parse(genesis.at) / 1_000 : undefined;
}

/** The block to fork at: once the latest one is fixed, the chain stays with it. */
function forkOf(facts: NetworkFacts, incarnation: string): { blockHeight: string } | undefined {
  const wanted = wantedBlockOf(facts.network);
  if (wanted !== 'latest') return wanted === undefined ? undefined : { blockHeight: wanted };
  const { status } = facts.network;
  const from = fromOf(facts, incarnation);
  if (from?.forkBlock !== undefined) return { blockHeight: from.forkBlock };
  if (status?.fork?.incarnation === incarnation) return { blockHeight: status.fork.block };
  const { forkHead } = facts.answers;
  return { blockHeight: forkHead && 'block' in forkHead ? String(forkHead.block) : wanted };
}

function forkStatusOf({ fork }: PlanInput, incarnation: string): NetworkStatus['fork'] {
  return !fork || fork.blockHeight === 'latest' ? undefined : { incarnation, block: fork.blockHeight };
}

function addressesOf(reference: ResolvedReference | undefined): string[] {
  return reference?.kind === 'addresses' ? reference.addresses : [];
}

/** The accounts of the network's mnemonic, and those of the one that everybody knows. */
function derivedAddresses({ mnemonic, network }: NetworkFacts): string[] {
  const { chain } = network.spec;
  const known = fundsDevelopmentAccounts(chain) ? developmentAccounts().map(({ address }) => address) : [];
  return [...new Set([...addressesOf(mnemonic), ...known])];
}

/** A description of the accounts that are funded at genesis. */
function describeAccounts(facts: NetworkFacts, from: FromStatus | undefined): string {
  const { network, hotKey, memberAddresses = [] } = facts;
  if (from) return `begins with the accounts of the snapshot "${from.snapshot}"`;
  // Only EVM networks fund the default keys of the workspace's members.
  const members = isEvmChain(network.spec.chain.type) ? memberAddresses : [];
  const [first, ...others] = new Set([...addressesOf(hotKey), ...derivedAddresses(facts), ...members]);
  if (first === undefined) return 'no account is funded';
  if (others.length === 0) return `funds ${first}`;
  return `funds ${first} and ${others.length} more ${others.length === 1 ? 'account' : 'accounts'}`;
}
