import { deriveSecret } from '../../../core/accounts/engineSecrets.ts';
import { chainTypes } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { PlanInput } from '../../../core/chains/driver.ts';
import { unavailableParts } from '../../../core/chains/registry.ts';
import { hashOf } from '../../../core/lib/hash.ts';
import { isWaitingToBegin } from '../lifecycle/lifecycle.ts';
import { incarnationOf, nameOfPart } from '../render/childNames.ts';
import type { NetworkFacts, ResolvedReference } from './facts.ts';

/** Why a network cannot be planned. `isPassing`: it may yet come right without a change by the user. */
export interface Blocker {
  reason: string;
  message: string;
  isPassing: boolean;
}

/** How long a secret may come after the network that refers to it, as in one `kubectl apply` of both. */
const graceMs = 15_000;

/** The members that all chain specs of one engine share. */
interface CommonSpec {
  chainID?: string | undefined;
  forking?: { enabled?: boolean | undefined; blockHeight?: string | undefined } | undefined;
}

export function commonSpecOf(network: NetworkResource): CommonSpec {
  const { chain } = network.spec;
  const { member } = chainTypes[chain.type];
  const spec = member === 'layerzero' ? undefined : chain[member];
  return spec ?? {};
}

export function chainSpecHashOf(network: NetworkResource): string {
  return hashOf(network.spec.chain);
}

/** The chain id: the one of the spec, the one in status, or one drawn from the network's uid that nobody uses. */
export function chainIdOf(facts: NetworkFacts): string | undefined {
  const { network, driver, isChainIdTaken } = facts;
  const named = commonSpecOf(network).chainID;
  if (named !== undefined || !driver) return named;
  const former = network.status?.chainID;
  if (former !== undefined && !isChainIdTaken(former)) return former;
  for (let attempt = 0; ; attempt += 1) {
    const chainId = driver.generateChainId(hashOf([network.metadata.uid, attempt]));
    if (!isChainIdTaken(chainId)) return chainId;
  }
}

/** The first thing that stands in the way of provisioning, in the order in which a user would mend them. */
export function blockerOf(facts: NetworkFacts): Blocker | undefined {
  const [missingPart] = unavailableParts(facts.network.spec, facts.installation.engines);
  if (missingPart) {
    return {
      reason: 'NotAvailable',
      message: `${missingPart.path} ${missingPart.message}`,
      isPassing: false,
    };
  }
  return quotaBlocker(facts) ?? chainIdBlocker(facts) ?? forkBlocker(facts) ?? referenceBlocker(facts);
}

function quotaBlocker(facts: NetworkFacts): Blocker | undefined {
  if (!isWaitingToBegin(facts)) return undefined;
  return { reason: 'QuotaExceeded', message: `spec.persistent: ${facts.quotaRefusal}`, isPassing: false };
}

function chainIdBlocker(facts: NetworkFacts): Blocker | undefined {
  const { chainID: named, forking } = commonSpecOf(facts.network);
  if (named === undefined) return undefined;
  const isFork = forking?.enabled === true;
  const refusal = facts.driver?.refuseChainId(named, isFork);
  if (refusal) return { reason: 'ChainIdReserved', message: refusal, isPassing: false };
  const isShareable = isFork && facts.driver?.refuseChainId(named, false) !== undefined;
  if (isShareable || !facts.isChainIdTaken(named)) return undefined;
  const message = `chain id ${named} is in use by another network of this installation: choose another, or omit it`;
  return { reason: 'ChainIdInUse', message, isPassing: false };
}

function forkBlocker(facts: NetworkFacts): Blocker | undefined {
  if (!commonSpecOf(facts.network).forking?.enabled || facts.forkSource) return undefined;
  const { type } = facts.network.spec.chain;
  const message = `this installation has no source to fork ${type} from: set forkSources.${type} in the chart values`;
  return { reason: 'NoForkSource', message, isPassing: false };
}

function referenceBlocker(facts: NetworkFacts): Blocker | undefined {
  const ageMs = facts.nowMs - Date.parse(facts.network.metadata.creationTimestamp ?? '');
  for (const reference of [facts.hotKey, facts.mnemonic]) {
    if (reference?.kind === 'missing') {
      return { reason: 'SecretMissing', message: reference.message, isPassing: ageMs < graceMs };
    }
    if (reference?.kind === 'unusable') {
      return { reason: 'SecretUnusable', message: reference.message, isPassing: false };
    }
  }
  return undefined;
}

/** The driver's input once nothing stands in the way. */
export function planInputOf(facts: NetworkFacts, chainId: string): PlanInput {
  const fork = forkOf(facts);
  const [hotAddress] = addressesOf(facts.hotKey);
  const validatorKey = facts.mnemonic?.kind === 'addresses' ? facts.mnemonic.validatorKey : undefined;
  const genesisTime = genesisTimeOf(facts.network);
  const { uid = '' } = facts.network.metadata;
  return {
    chain: facts.network.spec.chain,
    chainId,
    mnemonicAddresses: addressesOf(facts.mnemonic),
    memberAddresses: facts.memberAddresses ?? [],
    systemContracts: facts.systemContracts,
    deriveSecret: (purpose) => deriveSecret(facts.gatewayKey, uid, purpose),
    hostOf: (part) => nameOfPart(facts.network, part),
    ...(validatorKey === undefined ? {} : { validatorKey }),
    ...(genesisTime === undefined ? {} : { genesisTime }),
    ...(hotAddress === undefined ? {} : { hotAddress }),
    ...(fork ? { fork, clone: facts.installation.solana.clone } : {}),
  };
}

/** When the present life of the chain begins, in seconds since 1970; undefined before its preparation is over. */
export function genesisTimeOf(network: NetworkResource): number | undefined {
  const { genesis } = network.status ?? {};
  return genesis?.life === incarnationOf(network) ? Date.parse(genesis.at) / 1_000 : undefined;
}

/** Where a fork begins; a Resync begins at the latest block, whatever the spec names. */
export function forkOf({ network }: NetworkFacts): { blockHeight: string } | undefined {
  const { forking } = commonSpecOf(network);
  if (!forking?.enabled) return undefined;
  const isResync = network.status?.reset?.action === 'Resync';
  return { blockHeight: isResync ? 'latest' : (forking.blockHeight ?? 'latest') };
}

function addressesOf(reference: ResolvedReference | undefined): string[] {
  return reference?.kind === 'addresses' ? reference.addresses : [];
}
