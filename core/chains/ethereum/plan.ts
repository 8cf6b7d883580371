import { hotBalance, memberBalance, mnemonicBalance } from '../../accounts/hotKeys.ts';
import type { EthereumSpec } from '../../api/resources/chainSpecs.ts';
import type { EnginePart, EnginePlan, PlanInput, Preparation, ReadinessCall } from '../driver.ts';
import type { GenesisContract } from '../systemAccounts.ts';
import { mainnetParameters, renderChainConfig } from './chainConfig.ts';
import { renderExecutionGenesis } from './genesis.ts';
import { beaconPorts, type EthereumNode, ports, probeOf } from './node.ts';
import { enodeIdOf, peerIdOf } from './nodeKeys.ts';
import { defaultValidatorCount, type Member, membersOf } from './participants.ts';
import { type GenesisFiles, partsOf } from './parts.ts';

export interface ParticipantsInput extends PlanInput {
  spec: EthereumSpec;
  contracts: Readonly<Record<string, GenesisContract>>;
}

const defaultGasLimit = 30_000_000;
const nobody = `0x${'0'.repeat(40)}`;
/** Each node connects to the first ones; that is enough to connect all of them. */
const maxPeers = 8;
/** The time between the last image pull and the first block, in which the pods start. */
const startSeconds = 15;
/** Minimum from the images being pulled to the genesis: a beacon node that starts after it proposes nothing for a slot. */
const minLeadSeconds = 8;

/** geth, for one, returns an error before its first block, which would make clients that wait for a receipt give up. */
const readinessCall: ReadinessCall = {
  method: 'eth_getTransactionReceipt',
  params: [`0x${'0'.repeat(64)}`],
  isAnswer: (result) => result === null,
};

/** The plan of an Ethereum network with participants. */
export function planParticipants(input: ParticipantsInput): EnginePlan {
  const members = membersOf(input.spec);
  const genesis = renderGenesis(input);
  const parts = members.flatMap((member) =>
    partsOf({
      member,
      node: nodeOf(input, member, members),
      genesis,
      validatorCount: genesis.validatorCount,
    }),
  );
  return {
    parts,
    services: servicesOf(members),
    caveats: [],
    readinessCall,
    secrets: secretsOf(input, members, parts),
    preparation: preparationOf(members, secondsPerSlotOf(input.spec)),
  };
}

function renderGenesis(input: ParticipantsInput): GenesisFiles & { validatorCount: number } {
  const { spec, chainId, contracts, hotAddress, genesisTime: time = 0 } = input;
  const balances: Record<string, bigint> = {};
  for (const address of input.memberAddresses ?? []) balances[address] = memberBalance;
  for (const address of input.mnemonicAddresses) balances[address] = mnemonicBalance;
  if (hotAddress) balances[hotAddress] = hotBalance;
  const validatorCount = spec.validatorCount ?? defaultValidatorCount;
  return {
    validatorCount,
    execution: renderExecutionGenesis({ chainId, time, gasLimit: gasLimitOf(spec), contracts, balances }),
    chainConfig: renderChainConfig({
      chainId,
      genesisTime: time,
      validatorCount,
      secondsPerSlot: secondsPerSlotOf(spec),
      churnLimitQuotient: spec.churnLimitQuotient ?? mainnetParameters.churnLimitQuotient,
      ejectionBalance: spec.ejectionBalance ?? mainnetParameters.ejectionBalance,
      followDistance: spec.followDistance ?? mainnetParameters.followDistance,
      minWithdrawalDelay: spec.minWithdrawalDelay ?? mainnetParameters.minWithdrawalDelay,
      shardCommitteePeriod: spec.shardCommitteePeriod ?? mainnetParameters.shardCommitteePeriod,
    }),
  };
}

function secondsPerSlotOf({ blockTime = mainnetParameters.secondsPerSlot }: EthereumSpec): number {
  return blockTime;
}

function gasLimitOf({ gasLimit = defaultGasLimit }: EthereumSpec): number {
  return gasLimit;
}

function nodeOf(input: ParticipantsInput, member: Member, members: readonly Member[]): EthereumNode {
  const { spec, chainId, hotAddress, hostOf, deriveSecret } = input;
  const others = members.filter(({ number }) => number <= maxPeers && number !== member.number);
  const enodeOf = ({ number }: Member) =>
    `enode://${enodeIdOf(deriveSecret(`el-${number}`))}@${hostOf(`el-${number}`)}:${ports.execution}`;
  const peerOf = ({ number }: Member) =>
    `/dns4/${hostOf(`cl-${number}`)}/tcp/${beaconPorts.consensus}/p2p/${peerIdOf(deriveSecret(`cl-${number}`))}`;
  return {
    chainId,
    gasLimit: gasLimitOf(spec),
    secondsPerSlot: secondsPerSlotOf(spec),
    feeRecipient: hotAddress ?? nobody,
    hosts: { execution: hostOf(`el-${member.number}`), consensus: hostOf(`cl-${member.number}`) },
    peers: {
      execution: others.map(enodeOf),
      consensus: others.filter(({ consensus }) => consensus.hasNodeKey).map(peerOf),
    },
    size: members.length,
  };
}

function servicesOf(members: readonly Member[]): EnginePlan['services'] {
  const services: EnginePlan['services'] = {
    rpc: { part: 'el-1', port: 'rpc' },
    ws: { part: 'el-1', port: 'ws' },
  };
  for (const { number } of members) {
    services[`el-${number}`] = { part: `el-${number}`, port: 'rpc' };
    services[`cl-${number}`] = { part: `cl-${number}`, port: 'rest' };
  }
  return services;
}

/** The values of the secrets that the parts mount, each derived for its purpose; the validators' comes from the mnemonic. */
function secretsOf(
  { validatorKey, deriveSecret }: ParticipantsInput,
  members: readonly Member[],
  parts: readonly EnginePart[],
): Record<string, string> {
  const secrets: Record<string, string> = { validators: validatorKey ?? deriveSecret('validators') };
  for (const { number } of members) {
    for (const name of [`jwt-${number}`, `el-${number}`, `cl-${number}`]) secrets[name] = deriveSecret(name);
  }
  const programs = parts.flatMap((part) => [part, ...(part.init ?? [])]);
  const used = new Set(programs.flatMap(({ secretFiles = {} }) => Object.values(secretFiles)));
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => used.has(name)));
}

/**
 * Starts each image once, so that all are pulled when the genesis time is fixed. There is no block at genesis itself:
 * the first one comes a slot later, and the pods must be running by then.
 */
function preparationOf(members: readonly Member[], secondsPerSlot: number): Preparation {
  const programs = members.flatMap(({ execution, consensus, images }) => [
    probeOf(execution.engine, execution, images.execution),
    probeOf(consensus.engine, consensus, images.consensus),
    ...(consensus.validator ? [probeOf(consensus.validator.engine, consensus.validator)] : []),
  ]);
  const genesis = probeOf('genesis', { engine: 'ethereum-genesis', probe: ['--version'] });
  const byImage = new Map(
    [genesis, ...programs].map((program) => [`${program.engine} ${program.image}`, program]),
  );
  const distinct = [...byImage.values()];
  return {
    programs: distinct.map((program, index) => ({ ...program, name: `image-${index + 1}` })),
    leadSeconds: Math.max(minLeadSeconds, startSeconds - secondsPerSlot),
  };
}
