/** A receipt as a node answers it (Ethereum JSON-RPC): successful, in block 1. */
export function aRawReceipt(members: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    transactionHash: `0x${'11'.repeat(32)}`,
    blockNumber: '0x1',
    blockHash: `0x${'22'.repeat(32)}`,
    gasUsed: '0x5208',
    status: '0x1',
    logs: [],
    ...members,
  };
}
