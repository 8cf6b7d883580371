import { isPlainObject } from '../../../core/lib/json/members.ts';
import { paramsOf } from '../jsonrpc/params.ts';

const traces = /^debug_trace(Call|Transaction|Block(ByHash|ByNumber)?)$/;
const member = '"tracer"';
/** Those of geth. Any other text is JavaScript to the engine, also a single word. */
const named = /"tracer"\s*:\s*"(call|prestate|4byte|noop|flatCall|mux|erc7562|keccak256Preimage)Tracer"/;
const absent = /"tracer"\s*:\s*null/;

/**
 * Why a trace, given as JSON text, is for those who may change the chain anyway: the engine cannot stop it, and it takes memory until the
 * engine is killed with its chain. Undefined for traces by one of geth's own tracers, and for all that is refused to everybody.
 */
export function costlyTrace(method: string, text = ''): string | undefined {
  if (!traces.test(method)) return undefined;
  const tracers = text.split(member).length - 1;
  // A name may be written with escapes, and more than once.
  if (text.includes('\\') || tracers > 1) return scriptReason;
  if (method === 'debug_traceCall') return recordsNothing(text) ? undefined : callReason;
  if (tracers === 0 || absent.test(text)) return undefined;
  return named.test(text) ? undefined : scriptReason;
}

/** A tracer copies what each call within it is given, at no price in gas: a million gas may be gigabytes. */
const callReason = 'a trace of a call may take the whole memory of the engine, whatever its gas';
const scriptReason =
  'a tracer in JavaScript computes without a limit; name a tracer, for example {"tracer": "callTracer"}';

/** Whether the options of a trace are the tracer that records nothing, and nothing else. */
function recordsNothing(text: string): boolean {
  const [, , options] = paramsOf(text);
  if (!isPlainObject(options)) return false;
  return options.tracer === 'noopTracer' && Object.keys(options).length === 1;
}
