import {
  type EnginePart,
  type EnginePlan,
  forkUrlVariable,
  type PlanInput,
  podAddressVariable,
} from '../driver.ts';
import { readinessCall, servicesOf } from './common.ts';
import { forkFlag, renderStartScript, scriptPath } from './startScript.ts';

const dataPath = '/data';
const ledgerPath = `${dataPath}/ledger`;
/** The validator serves WebSockets on the port after the one of JSON-RPC. */
const ports = { rpc: 8899, ws: 8900 };
const faucetPort = 9900;
/** Shreds whose transactions can be looked up. A slot has at least 32, of 1.2 KiB each, and as many for repair. */
const ledgerShreds = 100_000;

/** A real validator with a faucet, solana-test-validator of Agave 3.1. */
export function planReal({ hotAddress, fork, clone }: PlanInput): EnginePlan {
  const part: EnginePart = {
    name: 'validator',
    engine: 'solana',
    command: ['/bin/sh', scriptPath],
    args: [
      // Otherwise it logs into the ledger, without limit.
      ...['--ledger', ledgerPath, '--log'],
      // With 0.0.0.0 the validator would announce that as its own address, and exit.
      ...['--bind-address', `$(${podAddressVariable})`],
      ...['--rpc-port', String(ports.rpc), '--faucet-port', String(faucetPort)],
      ...['--limit-ledger-size', String(ledgerShreds)],
      ...(hotAddress === undefined ? [] : ['--mint', hotAddress]),
      ...(fork ? forkArgs(clone) : []),
    ],
    env: { RUST_LOG: 'warn' },
    files: { [scriptPath]: renderStartScript(ledgerPath) },
    ports,
    readyPort: 'rpc',
    readyPath: '/health',
    dataPath,
    losesChainWith: 'data',
  };
  return {
    parts: [part],
    readinessCall,
    services: servicesOf(part.name),
    caveats: [
      'one validator, which leads every slot: no other votes, stakes or forks of the chain',
      ...(fork ? ['a fork has only the accounts and programs that the installation names'] : []),
    ],
  };
}

function forkArgs(clone: PlanInput['clone']): string[] {
  return [
    ...[forkFlag, `$(${forkUrlVariable})`],
    ...(clone?.accounts ?? []).flatMap((address) => ['--clone', address]),
    ...(clone?.programs ?? []).flatMap((address) => ['--clone-upgradeable-program', address]),
  ];
}
