import type { TransactionItem } from '../../../../../sdk/src/generated/types.ts';

/** Whether a text is an address. */
export const isAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text);

/** What a form of this dialog needs: it makes one transaction, and somebody else sends it. */
export interface SendProps {
  isBusy: boolean;
  /** `abi` and `name` are those of a contract that it creates. */
  send: (item: TransactionItem, created?: { name: string; abi: readonly unknown[] }) => void;
}

/** What can be sent. */
export type SendKind = 'transfer' | 'deploy';
