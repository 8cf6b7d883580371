import type { ListNetworkAccountsAnswer } from '../../../../sdk/src/generated/types.ts';
import { texts } from './texts.ts';

export type FundedAccount = ListNetworkAccountsAnswer['items'][number];

/** Where its key is. */
export function originOf({ source, secret, index }: FundedAccount): string {
  if (source === 'caller') return texts.caller;
  const place = source === 'developmentAccounts' ? texts.development : texts.secret(secret ?? '');
  return index === undefined ? place : texts.numbered(place, index);
}
