import type { Engines } from '../../api/installation.ts';
import type { EthereumParticipantSpec, EthereumSpec } from '../../api/resources/chainSpecs.ts';
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

/** The parts of a spec with participants that cannot run with these engines. */
export function refuseParticipants(spec: EthereumSpec, engines: Engines): ErrorDetail[] {
  return [
    ...refuseChain(spec, engines),
    ...(spec.participants ?? []).flatMap((participant, index) =>
      refuseParticipant(participant, `${base}.participants[${index}]`, engines),
    ),
  ];
}

function refuseChain(spec: EthereumSpec, engines: Engines): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (!engines['ethereum-genesis']) {
    details.push({
      path: `${base}.participants`,
      message: 'are not yet available on this installation, which has no image for engines.ethereum-genesis',
    });
  }
  if (spec.forking?.enabled) {
    details.push({
      path: `${base}.forking`,
      message: 'a network with participants cannot be a fork: omit it',
    });
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
  engines: Engines,
): ErrorDetail[] {
  const { elType = defaultElType, clType = defaultClType } = participant;
  const execution = executionClients[elType];
  const consensus: ConsensusRow = consensusClients[clType];
  const needed = [execution.engine, consensus.engine, consensus.validator?.engine ?? consensus.engine];
  const extraArgs = extraArgsOf(participant);
  const missing = [...new Set(needed)].filter((engine) => !engines[engine]);
  return [
    ...missing.map((engine) => ({
      path: engine === execution.engine ? `${path}.elType` : `${path}.clType`,
      message: `is not yet available on this installation, which has no image for engines.${engine}`,
    })),
    ...refuseImage(`${path}.elImage`, participant.elImage, { engines, name: execution.engine }),
    ...refuseImage(`${path}.clImage`, participant.clImage, { engines, name: consensus.engine }),
    ...refuseExtraArgs(`${path}.elExtraArgs`, extraArgs.execution),
    ...refuseExtraArgs(`${path}.clExtraArgs`, extraArgs.consensus),
  ];
}

function refuseExtraArgs(path: string, { line, allowed }: ExtraArgs): ErrorDetail[] {
  const read = readExtraArgs(line, allowed);
  return 'refusal' in read ? [{ path, message: read.refusal }] : [];
}
