/** These answer with the steps that the node recorded as it mined, unless a tracer runs the transactions again. */
const needsTracer = /^debug_trace(Transaction|Block)/;

/**
 * Why anvil cannot answer a call, given as JSON text. It records no steps: those of one large transaction would take
 * gigabytes. Without this it answers that there were none.
 */
export function anvilFaultOf(method: string, text: string): string | undefined {
  if (!needsTracer.test(method) || /"tracer"\s*:\s*"/.test(text)) return undefined;
  return `${method} needs a tracer on this network, because single steps are not recorded: for example {"tracer": "callTracer"}; debug_traceCall shows the steps of a call`;
}
