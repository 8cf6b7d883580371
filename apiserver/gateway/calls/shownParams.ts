import { keptText } from '../../../core/lib/keptBytes.ts';
import { redactBounded } from '../../../core/lib/redact.ts';
import { cut } from '../../../core/lib/text/foreignText.ts';
import { createUnlimitedScan, readMembers, skipSpace } from '../jsonrpc/jsonScan.ts';

/** Characters of the parameters of a call that are shown. */
const maxParams = 500;

/** Judging by their names, these methods take a key, a password or the words of a wallet. */
const takesSecret = /^personal_|key|passw|passphrase|secret|mnemonic|unlock/i;

/** What a URL has after its host: often an API key. A quote or a space ends it. */
const afterHost = /(:\/\/[^\s"\\/?#]+)[/?#][^\s"\\]+/g;

/**
 * The parameters of a call, given as JSON text: cut, without what looks like a secret, in memory of their own. Undefined if it has none,
 * or they may be a secret.
 */
export function shownParams(method: string, text: string): string | undefined {
  if (takesSecret.test(method)) return undefined;
  const { members } = readMembers(createUnlimitedScan(text), skipSpace(text, 0));
  const params = members.find(({ name }) => name === '"params"')?.value;
  if (params === undefined) return undefined;
  return shownText(cut(params, maxParams));
}

/** A bounded text of a call without what looks like a secret, in memory of its own. JSON may write "/" as "\\/". */
export function shownText(text: string): string {
  return keptText(redactBounded(text.replaceAll('\\/', '/')).replace(afterHost, '$1/(redacted)'));
}
