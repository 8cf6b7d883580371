import type { EthereumParticipantSpec, EthereumSpec } from '../../api/resources/chainSpecs.ts';
import type { EngineSet } from '../../engines/engineSet.ts';
import type { EngineNeed } from '../../engines/needs.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { refuseImage } from '../refuseImage.ts';
import { consensusClients } from './consensusClients.ts';
import { executionClients } from './executionClients.ts';
import { readExtraArgs } from './extraArgs/read.ts';
import type { ConsensusRow } from './node.ts';
import {
  defaultClType,
  defaultElType,
  defaultValidatorCount,
  type ExtraArgs,
  extraArgsOf,
  maxValidatorCount,
  membersOf,
} from './participants.ts';

const base = 'spec.chain.ethereum';

const pathOf = (index: number) => `${base}.participants[${index}]`;

/** The engines of a network with participants: of its clients, and the one that creates the genesis. */
export function enginesOfParticipants({ participants = [] }: EthereumSpec): EngineNeed[] {
  return [
    ...participants.flatMap((participant, index) => enginesOf(participant, pathOf(index))),
    { engine: 'ethereum-genesis', path: `${base}.participants` },
  ];
}

function enginesOf(participant: EthereumParticipantSpec, path: string): EngineNeed[] {
  const { execution, consensus } = clientsOf(participant);
  const ofConsensus = new Set([consensus.engine, consensus.validator?.engine ?? consensus.engine]);
  return [
    { engine: execution.engine, path: `${path}.elType` },
    ...[...ofConsensus].map((engine) => ({ engine, path: `${path}.clType` })),
  ];
}

function clientsOf({ elType = defaultElType, clType = defaultClType }: EthereumParticipantSpec) {
  const consensus: ConsensusRow = consensusClients[clType];
  return { execution: executionClients[elType], consensus };
}

/** The parts of a spec with participants that cannot run on this installation. */
export function refuseParticipants(spec: EthereumSpec, set: EngineSet): ErrorDetail[] {
  return [
    ...refuseChain(spec),
    ...(spec.participants ?? []).flatMap((participant, index) =>
      refuseParticipant(participant, pathOf(index), set),
    ),
  ];
}

function refuseChain(spec: EthereumSpec): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (spec.forking?.enabled) {
    details.push({
      path: `${base}.forking`,
      message: 'a network with participants cannot be a fork: omit it',
    });
  }
  if (spec.history !== undefined) {
    const message = 'the clients of participants keep in their own databases what they need: omit it';
    details.push({ path: `${base}.history`, message });
  }
  const { validatorCount = defaultValidatorCount } = spec;
  if (validatorCount < defaultValidatorCount || validatorCount > maxValidatorCount) {
    const message = `must be ${defaultValidatorCount} to ${maxValidatorCount} in a network with participants`;
    details.push({ path: `${base}.validatorCount`, message });
  }
  const members = membersOf(spec);
  if (members.length > 1 && !members.some(({ consensus }) => consensus.hasNodeKey)) {
    const known = Object.entries(consensusClients).filter(([, row]) => row.hasNodeKey);
    const names = known.map(([name]) => name).join(' or ');
    details.push({
      path: `${base}.participants`,
      message: `with several participants, at least one must have clType ${names}, so that the others can connect to it`,
    });
  }
  return details;
}

function refuseParticipant(
  participant: EthereumParticipantSpec,
  path: string,
  set: EngineSet,
): ErrorDetail[] {
  const { execution, consensus } = clientsOf(participant);
  const extraArgs = extraArgsOf(participant);
  return [
    ...refuseImage(`${path}.elImage`, participant.elImage, { set, name: execution.engine }),
    ...refuseImage(`${path}.clImage`, participant.clImage, { set, name: consensus.engine }),
    ...refuseExtraArgs(`${path}.elExtraArgs`, extraArgs.execution),
    ...refuseExtraArgs(`${path}.clExtraArgs`, extraArgs.consensus),
  ];
}

function refuseExtraArgs(path: string, { line, allowed }: ExtraArgs): ErrorDetail[] {
  const read = readExtraArgs(line, allowed);
  return 'refusal' in read ? [{ path, message: read.refusal }] : [];
}
