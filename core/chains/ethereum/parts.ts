import { compact } from '../../lib/compact.ts';
import { AppError } from '../../lib/errors.ts';
import type { EnginePart, Program } from '../driver.ts';
import { readExtraArgs } from './extraArgs/read.ts';
import { beaconPorts, type EthereumNode, paths, ports, validatorPorts } from './node.ts';
import type { ExtraArgs, Member } from './participants.ts';

/** The two halves of a genesis as texts. */
export interface GenesisFiles {
  execution: string;
  chainConfig: string;
}

export interface NodeInput {
  member: Member;
  node: EthereumNode;
  genesis: GenesisFiles;
  /** Of the whole network. */
  validatorCount: number;
}

type Step = Program & { name: string };

/** The parts of one node. */
export function partsOf(input: NodeInput): EnginePart[] {
  const { validator } = input.member.consensus;
  const hasValidator = validator !== undefined && input.member.validators.count > 0;
  return [executionPart(input), consensusPart(input), ...(hasValidator ? [validatorPart(input)] : [])];
}

function executionPart({ member, node, genesis }: NodeInput): EnginePart {
  const { number, execution, images, extraArgs } = member;
  const init = execution.init?.(node).map((step) => withImage(step, images.execution));
  return {
    name: `el-${number}`,
    engine: execution.engine,
    ...compact({ image: images.execution, command: execution.command }),
    args: [...execution.args(node), ...render(extraArgs.execution)],
    ...compact({ init }),
    files: { [paths.genesis]: genesis.execution, ...execution.files?.(node) },
    secretFiles: { [paths.jwt]: `jwt-${number}`, [paths.nodeKey]: `el-${number}` },
    ports: { rpc: ports.rpc, ws: ports.ws, engine: ports.engine, p2p: ports.execution },
    readyPort: 'rpc',
    dataPath: paths.data,
    losesChainWith: 'data',
    copyOf: 'execution',
  };
}

/** Throws BadRequest for a line that `refuseParticipants` refuses: no network is planned with one. */
function render({ line, allowed }: ExtraArgs): string[] {
  const read = readExtraArgs(line, allowed);
  if ('refusal' in read) throw new AppError('BadRequest', `extra arguments: ${read.refusal}`);
  return read.args;
}

function withImage<T extends Program>(step: T, image: string | undefined): T {
  return image === undefined ? step : { ...step, image };
}

function consensusPart(input: NodeInput): EnginePart {
  const { member, node, genesis } = input;
  const { number, consensus, images, extraArgs } = member;
  const isValidator = consensus.validator === undefined && member.validators.count > 0;
  return {
    name: `cl-${number}`,
    engine: consensus.engine,
    ...compact({ image: images.consensus, command: consensus.command }),
    args: [...consensus.args(node), ...render(extraArgs.consensus)],
    init: [stateStep(input), ...(isValidator ? [keysStep(member, 'keystores')] : [])],
    files: { [paths.genesis]: genesis.execution, [paths.chainConfig]: genesis.chainConfig },
    secretFiles: {
      [paths.jwt]: `jwt-${number}`,
      ...(consensus.hasNodeKey ? { [paths.nodeKey]: `cl-${number}` } : {}),
    },
    ports: { rest: beaconPorts.rest, rpc: beaconPorts.rpc, p2p: beaconPorts.consensus },
    readyPort: 'rest',
    readyPath: '/eth/v1/node/health',
    dataPath: paths.data,
    workPath: '/work',
    losesChainWith: 'data',
    copyOf: 'consensus',
    ...compact({ argsWithoutCopy: consensus.argsWithoutCopy && [...consensus.argsWithoutCopy] }),
  };
}

function validatorPart({ member, node, genesis }: NodeInput): EnginePart {
  const { validator } = member.consensus;
  if (!validator) throw new Error('this consensus client has no validator client');
  return {
    name: `vc-${member.number}`,
    engine: validator.engine,
    args: validator.args(node),
    init: [keysStep(member, validator.keys)],
    files: { [paths.chainConfig]: genesis.chainConfig, [paths.depositBlock]: '0' },
    ports: { metrics: validatorPorts.metrics },
    readyPort: 'metrics',
    // The slashing protection data: a second signature for the same slot would be slashed.
    dataPath: paths.data,
    workPath: '/work',
    losesChainWith: 'nothing',
  };
}

/** Each consensus client computes the genesis state itself: the same input gives the same state. */
function stateStep({ validatorCount }: NodeInput): Step {
  return {
    name: 'state',
    engine: 'ethereum-genesis',
    args: [
      'state',
      ...['--config', paths.chainConfig, '--execution', paths.genesis, '--key', paths.validatorKey],
      ...['--validators', String(validatorCount), '--out', paths.beaconGenesis],
    ],
    secretFiles: { [paths.validatorKey]: 'validators' },
  };
}

function keysStep({ validators }: Member, form: 'wallet' | 'keystores'): Step {
  const { first, count } = validators;
  return {
    name: 'keys',
    engine: 'ethereum-genesis',
    args: [
      form,
      ...[
        '--key',
        paths.validatorKey,
        '--first',
        String(first),
        '--count',
        String(count),
        '--out',
        paths.keys,
      ],
    ],
    secretFiles: { [paths.validatorKey]: 'validators' },
  };
}
