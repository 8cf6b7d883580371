const traces = /^debug_trace(Call|Transaction|Block(ByHash|ByNumber)?)$/;
const member = '"tracer"';
const named = /"tracer"\s*:\s*"[A-Za-z0-9]*"/;
const absent = /"tracer"\s*:\s*null/;

/**
 * Why a trace, given as JSON text, is for those who may change the chain anyway: the engine cannot stop it, and it takes memory until the
 * engine is killed with its chain. Undefined for traces by one of geth's own tracers, and for all that is refused to everybody.
 */
export function costlyTrace(method: string, text = ''): string | undefined {
  if (!traces.test(method)) return undefined;
  const tracers = text.split(member).length - 1;
  // A name may be written with escapes, and more than once.
  if (text.includes('\\') || tracers > 1) return script;
  if (tracers === 0 || absent.test(text)) return method === 'debug_traceCall' ? steps : undefined;
  return named.test(text) ? undefined : script;
}

/** anvil 1.7: 1.1 GB for 3,000,000 gas. */
const steps =
  'single steps take a gigabyte of memory for three million gas; name a tracer, for example {"tracer": "callTracer"}';
const script =
  'a tracer in JavaScript computes without a limit; name a tracer, for example {"tracer": "callTracer"}';
