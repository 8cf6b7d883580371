import type { ChainFamily } from '../../../core/api/resources/chainSpecs.ts';
import type { ChainRead } from '../api/chain.ts';

/**
 * What explorers may ask nodes: methods that read, and that cost no more than a page of an explorer needs. What is not
 * listed is refused, whatever the gateway forwards: these calls wake nothing and count as no use.
 */
const methods: Record<ChainFamily, ReadonlySet<string>> = {
  evm: new Set([
    ...['eth_chainId', 'eth_blockNumber', 'eth_gasPrice', 'eth_getBlockByNumber', 'eth_getBlockByHash'],
    ...['eth_getBlockReceipts', 'eth_getTransactionByHash', 'eth_getTransactionByBlockNumberAndIndex'],
    ...['eth_getTransactionReceipt', 'eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'],
    ...['eth_getStorageAt', 'eth_call', 'eth_estimateGas', 'debug_traceTransaction'],
    ...['eth_getLogs', 'ots_getContractCreator'],
  ]),
  solana: new Set([
    ...['getSlot', 'getBlockHeight', 'getBlock', 'getBlocks', 'getBlocksWithLimit', 'getBlockTime'],
    ...['getTransaction', 'getSignaturesForAddress', 'getSignatureStatuses', 'getAccountInfo', 'getBalance'],
    ...['getTokenAccountsByOwner', 'getTokenSupply', 'getGenesisHash', 'getVersion'],
  ]),
  thorchain: new Set(['status', 'block', 'block_by_hash', 'block_results', 'blockchain', 'tx', 'tx_search']),
  layerzero: new Set(),
};

/** Of the REST interface of Cosmos nodes: decoded transactions, and what accounts have. */
const paths =
  /^GET \/cosmos\/(tx\/v1beta1\/txs|bank\/v1beta1\/balances|auth\/v1beta1\/accounts)\/[A-Za-z0-9]{1,128}$/;

/** The path of a read of the REST interface. */
export function pathOf({ method }: ChainRead): string | undefined {
  return method.startsWith('GET ') ? method.slice('GET '.length) : undefined;
}

/** Why a read is refused; undefined if it is allowed. */
export function refusalOf(family: ChainFamily, read: ChainRead): string | undefined {
  const { method, params = [] } = read;
  const isPath = family === 'thorchain' && paths.test(method);
  if (!isPath && !methods[family].has(method)) {
    return `${method} is not a method of explorers: use an endpoint of the network`;
  }
  if (isPath && params.length > 0) return 'a path has no params: leave them out';
  if (method === 'debug_traceTransaction' && !isCallTrace(params[1])) {
    return 'debug_traceTransaction is for {"tracer": "callTracer"} here: use an endpoint of the network for other tracers';
  }
  return method === 'eth_getLogs' ? logsRefusal(params[0]) : undefined;
}

/** How many blocks one call may search. */
const maxLogBlocks = 5000;

/** A search has an end, and looks for something. */
function logsRefusal(filter: unknown): string | undefined {
  const { fromBlock, toBlock, address, topics } = isObject(filter) ? filter : {};
  const [from, to] = [fromBlock, toBlock].map((one) => (typeof one === 'string' ? Number(one) : Number.NaN));
  const isBounded = from !== undefined && to !== undefined && from <= to && to - from < maxLogBlocks;
  if (!isBounded)
    return `eth_getLogs is for at most ${maxLogBlocks} blocks here: name fromBlock and toBlock as numbers`;
  if (isNamed(address) || (Array.isArray(topics) && topics.some(isNamed))) return undefined;
  return 'eth_getLogs needs an address or a topic here';
}

/** A value, or a choice of several: an empty one is any. */
function isNamed(value: unknown): boolean {
  const all = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every((one) => typeof one === 'string' && one !== '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Other tracers record single steps, or are programs of the caller. */
function isCallTrace(options: unknown): boolean {
  return isObject(options) && options.tracer === 'callTracer';
}
