import type { Network, SubmitRequest } from '../../../../sdk/src/generated/types.ts';
import { curlOf, type Snippet, sdkOf, shellWord } from '../../lib/snippets.ts';

/** How else to make the same request. */
export function snippetsOf(body: SubmitRequest, networks: readonly Network[], workspace: string): Snippet[] {
  return [
    { name: 'curl', text: curlOf('/transaction/v1alpha1/transaction/submit', body, workspace) },
    { name: 'CLI', text: cliOf(body, networks) },
    { name: 'SDK', text: sdkOf('const sent = await client.transactions.submit', body) },
    { name: 'JSON', text: JSON.stringify(body, null, 2) },
  ];
}

/** The options of the command for one transaction on one network, otherwise the body. */
function cliOf(body: SubmitRequest, networks: readonly Network[]): string {
  const [items = [], ...others] = Object.values(body.transactions_by_network);
  const [item, ...more] = items;
  const [network] = networks;
  const hasFees = item?.max_fee_per_gas || item?.max_priority_fee_per_gas;
  if (!item || !network || more.length > 0 || others.length > 0 || hasFees) {
    return `slipway tx submit --wait --file - <<'EOF'\n${JSON.stringify(body, null, 2)}\nEOF`;
  }
  const options = [
    ['--to', item.to],
    ['--value', item.value],
    ['--data', item.data],
    ['--gas-limit', item.gas_limit],
  ].flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${shellWord(String(value))}`]));
  return [`slipway tx submit ${shellWord(network.name)}`, ...options, '--wait'].join(' ');
}
