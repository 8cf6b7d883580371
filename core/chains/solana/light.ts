import { type EnginePart, type EnginePlan, forkUrlVariable, type PlanInput } from '../driver.ts';
import { readinessCall, servicesOf } from './common.ts';

const dataPath = '/data';
const ports = { rpc: 8899, ws: 8900 };

/** A node of our own on the crate surfpool-core, engines/solana-dev: Solana's runtime without consensus. */
export function planLight({ hotAddress, fork }: PlanInput): EnginePlan {
  const part: EnginePart = {
    name: 'node',
    engine: 'solana-dev',
    args: [
      ...['--data', dataPath],
      ...['--bind', '0.0.0.0', '--rpc-port', String(ports.rpc), '--ws-port', String(ports.ws)],
      ...(hotAddress === undefined ? [] : ['--fund', hotAddress]),
      ...(fork ? ['--fork-url', `$(${forkUrlVariable})`] : []),
    ],
    files: {},
    ports,
    readyPort: 'rpc',
    dataPath,
    losesChainWith: 'data',
  };
  return {
    parts: [part],
    readinessCall,
    services: servicesOf(part.name),
    caveats: [
      'one node without consensus: nobody votes, every transaction is confirmed in the next slot',
      ...(fork ? ['a fork reads each account at the source when it is first used, in its latest state'] : []),
    ],
  };
}
