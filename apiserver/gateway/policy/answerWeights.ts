/**
 * How much room the answers of a call may take in its node: a node has an answer whole before it sends the first byte, and keeps it until the
 * caller has read it. 73 MB of logs cost an engine as much for each caller that asks for them.
 */

/** An answer whose length nothing bounds. */
const large = 4;
/** One that is as long as a transaction with its logs, which a block bounds. */
const ofTransaction = 1;

const unbounded =
  /^(eth_(get(Logs|FilterLogs|FilterChanges|BlockReceipts|Proof)|feeHistory|pendingTransactions|simulateV1)|(erigon|ots|txpool|trace|debug)_\w+|(anvil|hardhat)_dumpState)$/;
const block = /^eth_get(Block|Uncle)By/;
const transaction = /^eth_get(Raw)?Transaction(By|Receipt)/;

/** Of an EVM node; `text` is the call. */
export function evmAnswerWeight(method: string, text: string): number {
  if (unbounded.test(method)) return large;
  if (transaction.test(method)) return ofTransaction;
  // With whole transactions; without them a block is short.
  return block.test(method) && text.includes('true') ? large : 0;
}

const ofSolana =
  /^(get(Block|Blocks|BlocksWithLimit|ClusterNodes|LargestAccounts|LeaderSchedule|MultipleAccounts|ProgramAccounts|SignaturesForAddress|Supply|TokenAccountsBy\w+|TransactionsForAddress|VoteAccounts)|simulate\w+|surfnet_\w+)$/;
const oneOfSolana = /^get(AccountInfo|Transaction)$/;

/** Of a Solana node. */
export function solanaAnswerWeight(method: string): number {
  if (ofSolana.test(method)) return large;
  return oneOfSolana.test(method) ? ofTransaction : 0;
}

const ofComet =
  /^(genesis(_chunked)?|blockchain|block|block_by_hash|block_results|(tx|block)_search|validators|dump_consensus_state|unconfirmed_txs|abci_query)$/;

/** Of CometBFT. */
export function cometAnswerWeight(method: string): number {
  return ofComet.test(method) ? large : 0;
}
