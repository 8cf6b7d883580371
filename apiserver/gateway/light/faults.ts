import { isObject, memberOf } from '../../../core/lib/json/members.ts';
import { paramsOf } from '../jsonrpc/params.ts';
import { decimalOf, quantityOf } from './quantity.ts';

/**
 * Why the light engine cannot answer a call, given as JSON text, though it would answer something: undefined for all calls that
 * it answers rightly. docs/light-engine.md lists what it does otherwise than geth.
 */
export function lightFaultOf(method: string, text: string): string | undefined {
  const fault = faults.get(method);
  // A name or a value may be written with escapes.
  return fault?.(method, text.includes('\\') ? JSON.stringify({ params: paramsOf(text) }) : text);
}

type Fault = (method: string, text: string) => string | undefined;

/** Of geth's own tracers, those that the engine runs; it answers `{}` for the others. */
const tracers = ['callTracer', 'prestateTracer', '4byteTracer', 'noopTracer'];
const otherTracer = /"tracer"\s*:\s*"(flatCallTracer|muxTracer|erc7562Tracer|keccak256PreimageTracer)"/;

function tracerFault(method: string, text: string): string | undefined {
  const [, tracer] = otherTracer.exec(text) ?? [];
  if (tracer === undefined) return undefined;
  const flat = tracer === 'flatCallTracer' ? '; trace_transaction and trace_block answer flat traces' : '';
  return `${method}: this network's engine has no ${tracer}: use one of ${tracers.join(', ')}, or JavaScript${flat}`;
}

/**
 * The engine answers these with the steps that it recorded as it mined, unless a tracer runs the transactions again. It records
 * none: those of one large transaction would take gigabytes.
 */
function stepsFault(method: string, text: string): string | undefined {
  if (/"tracer"\s*:\s*"/.test(text)) return tracerFault(method, text);
  return `${method} needs a tracer on this network, because single steps are not recorded: for example {"tracer": "callTracer"}; at the admin URL, debug_traceCall shows the steps of a call`;
}

function blockTraceFault(method: string, text: string): string | undefined {
  const [block] = paramsOf(text);
  if (block === 'pending') return `${method}: the pending block cannot be traced: name a block that is mined`;
  return stepsFault(method, text);
}

function callTraceFault(method: string, text: string): string | undefined {
  return tracerFault(method, text) ?? overrideFault(method, text);
}

/** A filter whose range ends before it begins, or that asks for logs of blocks that do not exist yet. */
function logsFault(method: string, text: string): string | undefined {
  const [filter] = paramsOf(text);
  if (!isObject(filter)) return undefined;
  const { fromBlock, toBlock } = filter;
  if (fromBlock === 'pending' || toBlock === 'pending')
    return `${method}: pending logs are not supported: name blocks that are mined`;
  const [from, to] = [quantityOf(fromBlock), quantityOf(toBlock)];
  if (from === undefined || to === undefined || from <= to) return undefined;
  return `${method}: invalid block range: fromBlock (${decimalOf(fromBlock)}) is after toBlock (${decimalOf(toBlock)})`;
}

function feeHistoryFault(method: string, text: string): string | undefined {
  const [, , percentiles = []] = paramsOf(text);
  if (!Array.isArray(percentiles)) return undefined;
  const wrong = percentiles.findIndex(
    (one, index) =>
      typeof one === 'number' && (one < 0 || one > 100 || (index > 0 && one <= percentiles[index - 1])),
  );
  if (wrong === -1) return undefined;
  return `${method}: invalid reward percentile ${percentiles[wrong]} at ${wrong}: send rising numbers from 0 to 100`;
}

/** The engine has no receipts of transactions that wait. */
function receiptsFault(method: string, text: string): string | undefined {
  if (paramsOf(text)[0] !== 'pending') return undefined;
  return `${method}: the pending block has no receipts: name a block that is mined`;
}

/** The engine ignores it, and answers with the contract that is there. */
function overrideFault(method: string, text: string): string | undefined {
  if (!text.includes('"movePrecompileToAddress"')) return undefined;
  return `${method}: this network's engine cannot move precompiled contracts (movePrecompileToAddress): override "code" instead`;
}

/** The engine builds the simulated transaction as it would be sent, and leaves out those that create a contract. */
function simulateFault(method: string, text: string): string | undefined {
  const [payload] = paramsOf(text);
  if (memberOf(payload, 'returnFullTransactions') === true)
    return `${method}: this network's engine has no full transactions of simulated blocks: leave out returnFullTransactions`;
  const blocks = memberOf(payload, 'blockStateCalls');
  if (!Array.isArray(blocks)) return undefined;
  if (blocks.length === 0) return `${method}: blockStateCalls is empty: send at least one block`;
  const calls = blocks.flatMap((block) => (isObject(block) && Array.isArray(block.calls) ? block.calls : []));
  const creates = calls.some((call) => isObject(call) && (call.to === undefined || call.to === null));
  if (!creates) return overrideFault(method, text);
  return `${method}: this network's engine cannot simulate the creation of a contract (a call without "to"): use eth_call or eth_estimateGas`;
}

const delegating = /^(0x)?ef01/i;
const delegation = /^(0x)?ef0100[0-9a-f]{40}$/i;

/** The engine ends when it is given code that begins like that of a delegated account and is none (EIP-7702). */
function codeFault(method: string, text: string): string | undefined {
  if (!/"(0x)?ef01/i.test(text)) return undefined;
  const [, code] = paramsOf(text);
  if (typeof code !== 'string' || !delegating.test(code) || delegation.test(code)) return undefined;
  return `${method}: code that begins with 0xef01 is that of a delegated account (EIP-7702): send 0xef0100 and the 20 bytes of an address`;
}

const faults = new Map<string, Fault>([
  ['anvil_setCode', codeFault],
  ['hardhat_setCode', codeFault],
  ['debug_traceTransaction', stepsFault],
  ['debug_traceBlock', stepsFault],
  ['debug_traceBlockByHash', stepsFault],
  ['debug_traceBlockByNumber', blockTraceFault],
  ['debug_traceCall', callTraceFault],
  ['eth_call', overrideFault],
  ['eth_createAccessList', overrideFault],
  ['eth_estimateGas', overrideFault],
  ['eth_getBlockReceipts', receiptsFault],
  ['eth_getLogs', logsFault],
  ['eth_newFilter', logsFault],
  ['eth_feeHistory', feeHistoryFault],
  ['eth_simulateV1', simulateFault],
]);

/** Methods of geth that the engine does not have. It answers only that it does not know them. */
const absent =
  /^(debug_(getRaw(Block|Header|Receipts)|accountRange|storageRangeAt|executionWitness|traceCallMany)|eth_getHeaderBy(Hash|Number)|eth_pendingTransactions|txpool_contentFrom|rpc_modules|trace_(get|call|callMany|rawTransaction|replayTransaction))$/;

/** Why a method is closed on networks with the light engine; undefined for all others. */
export function lightAbsence(method: string): string | undefined {
  if (!absent.test(method)) return undefined;
  return "this network's engine does not have it; networks with participants or the profile real do where their client has it";
}
