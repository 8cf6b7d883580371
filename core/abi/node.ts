import { toQuantity } from '../lib/text/quantity.ts';

/** Asks a node: the result of one call. Rejects when it refuses. */
export type CallNode = (method: string, params: unknown[]) => Promise<unknown>;

export interface ImpersonatedTransaction {
  from: string;
  to?: string | undefined;
  data?: string | undefined;
  /** Wei, in digits. */
  value: string;
  gasLimit?: number | undefined;
}

/**
 * Sends a transaction as an account without its private key (light engines, by their admin URL). Answers its hash, also when the
 * impersonation could not be ended: what was sent is not lost.
 */
export async function sendAs(call: CallNode, transaction: ImpersonatedTransaction): Promise<string> {
  const { from, to, data, value, gasLimit } = transaction;
  const gas = gasLimit === undefined ? undefined : toQuantity(gasLimit);
  await call('anvil_impersonateAccount', [from]);
  try {
    return String(
      await call('eth_sendTransaction', [{ from, to, data, value: toQuantity(BigInt(value)), gas }]),
    );
  } finally {
    await call('anvil_stopImpersonatingAccount', [from]).catch(() => undefined);
  }
}

interface Balance {
  address: string;
  /** In the smallest unit, in digits. */
  amount: string;
  /** An ERC-20 token; the native coin when absent. */
  token?: string | undefined;
}

/** Sets what an account has, without a transaction (light engines, by their admin URL). */
export async function setBalance(call: CallNode, { address, amount, token }: Balance): Promise<void> {
  const value = toQuantity(BigInt(amount));
  if (token === undefined) await call('anvil_setBalance', [address, value]);
  else await call('anvil_dealERC20', [address, token, value]);
}
