import { blockCalls } from './calls/blocks.ts';
import type { Call } from './calls/call.ts';
import { codeCalls } from './calls/code.ts';
import { feeCalls } from './calls/fees.ts';
import { logCalls } from './calls/logs.ts';
import { nodeCalls } from './calls/node.ts';
import { stateCalls } from './calls/state.ts';
import { traceCalls } from './calls/traces.ts';
import { transactionCalls } from './calls/transactions.ts';
import type { Chain } from './chain.ts';

/** Everything that both nodes are asked, in this order; none of it changes the chain. */
export function callsOf(chain: Chain): Call[] {
  const sections = [
    nodeCalls,
    stateCalls,
    codeCalls,
    blockCalls,
    transactionCalls,
    feeCalls,
    logCalls,
    traceCalls,
  ];
  return sections.flatMap((section) => section(chain));
}
