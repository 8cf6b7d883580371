import {
  defaultParticipant,
  type EthereumParticipantSpec,
  type EthereumSpec,
} from '../../api/resources/chainSpecs.ts';
import { compact } from '../../lib/compact.ts';
import { consensusClients } from './consensusClients.ts';
import { executionClients } from './executionClients.ts';
import { consensusFlags } from './extraArgs/consensusFlags.ts';
import { executionFlags } from './extraArgs/executionFlags.ts';
import type { AllowedFlags } from './extraArgs/read.ts';
import type { ConsensusRow, ExecutionRow } from './node.ts';

/** Validators in the genesis state when the spec names no number; also the minimum: 32 slots need two each. */
export const defaultValidatorCount = 64;
/** With this many, the genesis takes each consensus client 12 s; with more it would start late. */
export const maxValidatorCount = 4_096;
export const { elType: defaultElType, clType: defaultClType } = defaultParticipant;

/** As the spec has them. */
export interface ExtraArgs {
  line: string;
  allowed: AllowedFlags;
}

/** One node of a network: a participant of the spec, or one of its `count`. */
export interface Member {
  /** From 1 on, over all participants. */
  number: number;
  execution: ExecutionRow;
  consensus: ConsensusRow;
  images: { execution?: string; consensus?: string };
  extraArgs: { execution: ExtraArgs; consensus: ExtraArgs };
  /** Its share of the validators. */
  validators: { first: number; count: number };
}

/** The nodes of a spec, in order, with the validators distributed evenly. */
export function membersOf(spec: EthereumSpec): Member[] {
  const all = (spec.participants ?? []).flatMap((participant) =>
    Array.from({ length: participant.count ?? defaultParticipant.count }, () => participant),
  );
  const validatorCount = spec.validatorCount ?? defaultValidatorCount;
  let first = 0;
  return all.map((participant, index) => {
    const count = Math.floor(validatorCount / all.length) + (index < validatorCount % all.length ? 1 : 0);
    const member = memberOf(participant, index + 1, { first, count });
    first += count;
    return member;
  });
}

function memberOf(
  participant: EthereumParticipantSpec,
  number: number,
  validators: Member['validators'],
): Member {
  const { elImage, clImage, elType = defaultElType, clType = defaultClType } = participant;
  return {
    number,
    execution: executionClients[elType],
    consensus: consensusClients[clType],
    images: compact({ execution: elImage, consensus: clImage }),
    extraArgs: extraArgsOf(participant),
    validators,
  };
}

/** The lines of a participant, with the flags that its clients may have. */
export function extraArgsOf(participant: EthereumParticipantSpec): Member['extraArgs'] {
  const { elType = defaultElType, clType = defaultClType, elExtraArgs = '', clExtraArgs = '' } = participant;
  return {
    execution: { line: elExtraArgs, allowed: executionFlags[elType] },
    consensus: { line: clExtraArgs, allowed: consensusFlags[clType] },
  };
}
