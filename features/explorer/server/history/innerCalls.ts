import type { InnerTrace } from '../../../../core/evm/traces.ts';
import type { InnerCall } from '../../api/history.ts';

/** What the calls within a transaction did, without those that were undone. */
export interface InnerCalls {
  /** Those that transferred coins or created a contract, in their order. */
  calls: InnerCall[];
  /** The accounts that were called or created. */
  touched: string[];
}

export function innerCallsOf(traces: readonly InnerTrace[]): InnerCalls {
  const noted = traces.filter(({ type, value }) => value > 0n || type.startsWith('CREATE'));
  return {
    calls: noted.map((call) => ({ ...call, value: String(call.value) })),
    touched: [...new Set(traces.map(({ to }) => to))],
  };
}
