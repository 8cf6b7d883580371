import { keccak256, toQuantity } from 'ethers';
import { callRpc } from '../../../../core/chains/evm/testing/startAnvil.ts';
import { startLightEngine } from '../lightEngine.ts';
import { type Geth, startGeth } from './geth.ts';
import {
  chainId,
  contract,
  queued,
  sender,
  sign,
  type TransactionName,
  transactionNames,
  transactions,
} from './scene.ts';

/** The chain of the comparison, as one of the two nodes has it. */
export interface Chain {
  url: string;
  wsUrl: string;
  /** The hashes of its blocks, by number. */
  blocks: readonly string[];
  /** The numbers of the blocks of transactions. */
  numbers: Readonly<Record<TransactionName, string>>;
  /** The hashes of the transactions, the same on both chains. */
  transactions: Readonly<Record<TransactionName | 'queued', string>>;
  /** The hash of the transaction that the node signed itself, which gives the sender its coins. */
  funding: string;
  contract: string;
  /** What names the blocks that the light engine has as `safe` and `finalized`. */
  safe: string;
  finalized: string;
}

type Urls = Pick<Chain, 'url' | 'wsUrl'>;

export interface BothChains {
  geth: Chain;
  light: Chain;
  /** Of the light engine itself. */
  engineUrl: string;
  stop(): Promise<void>;
}

/** The same chain in geth and, through the gateway with the admin key, in the light engine. */
export async function startBoth(): Promise<BothChains> {
  const stops: (() => Promise<void>)[] = [];
  const stop = () => Promise.all(stops.map((one) => one())).then(() => undefined);
  try {
    const geth = await startGeth();
    stops.push(geth.stop);
    await fillGeth(geth);
    const engine = await startLightEngine({ chainId: String(chainId), hotAddress: rich });
    stops.push(engine.stop);
    const light = { url: engine.world.url('admin'), wsUrl: engine.world.url('admin-ws') };
    await repeat(geth, light.url);
    return {
      geth: await chainOf(geth),
      light: { ...(await chainOf(light)), safe: 'safe', finalized: 'finalized' },
      engineUrl: engine.url,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fillGeth({ url, developer }: Geth): Promise<void> {
  await fund(url, developer.address);
  while (!(await callRpc(url, 'eth_getBlockByNumber', '0x1', false)));
  for (const [nonce, name] of transactionNames.entries())
    await callRpc(url, 'eth_sendRawTransactionSync', await sign(nonce, transactions[name]));
  await callRpc(url, 'eth_sendRawTransaction', await sign(queued.nonce, queued.transaction));
}

/** Has the coins that a network gives the accounts of its spec. */
const rich = `0x${'33'.repeat(20)}`;

interface Block {
  hash: string;
  baseFeePerGas: string;
  transactions: readonly string[];
}

/** Makes the blocks of geth, which adds empty ones now and then. */
async function repeat({ url: geth, developer }: Geth, url: string): Promise<void> {
  const { address, balance } = developer;
  const [, first, ...others] = await blocksOf(geth);
  await callRpc(url, 'anvil_setBalance', address, balance);
  await callRpc(url, 'anvil_setCoinbase', address);
  await callRpc(url, 'anvil_setNextBlockBaseFeePerGas', first?.baseFeePerGas);
  await callRpc(url, 'anvil_impersonateAccount', address);
  await fund(url, address);
  let nonce = 0;
  for (const { transactions: inside } of others) {
    const name = inside.length === 0 ? undefined : transactionNames[nonce];
    if (name) await callRpc(url, 'eth_sendRawTransactionSync', await sign(nonce, transactions[name]));
    else await callRpc(url, 'evm_mine');
    if (name) nonce += 1;
  }
  await callRpc(url, 'eth_sendRawTransaction', await sign(queued.nonce, queued.transaction));
}

async function fund(url: string, from: string): Promise<void> {
  const value = `0x${(10n ** 18n).toString(16)}`;
  const fees = { gas: '0x5208', maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x3b9aca00' };
  await callRpc(url, 'eth_sendTransaction', { from, to: sender, value, ...fees });
}

export async function chainOf({ url, wsUrl }: Urls): Promise<Chain> {
  const blocks = await blocksOf(url);
  const names = [...transactionNames, 'queued'] as const;
  const raw = await Promise.all([
    ...transactionNames.map((name, nonce) => sign(nonce, transactions[name])),
    sign(queued.nonce, queued.transaction),
  ]);
  const hashes = raw.map((text) => keccak256(text));
  const numberOf = (hash: string) =>
    toQuantity(blocks.findIndex((block) => block.transactions.includes(hash)));
  return {
    url,
    wsUrl,
    contract,
    blocks: blocks.map(({ hash }) => hash),
    transactions: recordOf(names, hashes),
    numbers: recordOf(transactionNames, hashes.slice(0, transactionNames.length).map(numberOf)),
    funding: blocks[1]?.transactions[0] ?? '',
    safe: toQuantity(blocks.length - 2),
    finalized: toQuantity(blocks.length - 3),
  };
}

function recordOf<Name extends string>(
  names: readonly Name[],
  values: readonly string[],
): Record<Name, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Record<Name, string>;
}

async function blocksOf(url: string): Promise<Block[]> {
  const head = Number(await callRpc(url, 'eth_blockNumber'));
  const numbers = Array.from({ length: head + 1 }, (_, number) => toQuantity(number));
  return Promise.all(
    numbers.map((number) => callRpc(url, 'eth_getBlockByNumber', number, false) as Promise<Block>),
  );
}
