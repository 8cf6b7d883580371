import type { Deployment, Token } from '../../../sdk/src/generated/types.ts';
import { fieldsText, tableText } from '../../io/table.ts';
import type { Client } from '../../lib/client.ts';
import type { Context } from '../../lib/context.ts';
import { namesOfNetworks } from '../../lib/resolve.ts';
import { coinsText } from '../../lib/units.ts';
import type { Wait } from '../../lib/wait.ts';

/** A message of a deployed token says what it is not connected to yet. */
const isDeployed = ({ state, message }: Deployment) => state === 'Deployed' && !message;

/** What does not go on by itself. A deployment also fails for good with a network that is Error, which it waits for. */
const hasFailed = ({ state, message = '' }: Deployment) =>
  state === 'Error' || state === 'Lost' || message.endsWith('which is Error');

/** Waits until the token is deployed on all networks. */
export function tokenWait(client: Client, { id, symbol }: Pick<Token, 'id' | 'symbol'>): Wait {
  return {
    what: `token "${symbol}"`,
    follow: `See: slipway token get ${id}`,
    async look(signal) {
      const { deployments = [] } = await client.tokens.get(id, { signal });
      const hasProblem = deployments.some(hasFailed);
      const networks = hasProblem ? await namesOfNetworks(client) : undefined;
      const done = deployments.filter(isDeployed).length;
      const messages = deployments.flatMap(({ message }) => message ?? []);
      const text = `${symbol}: deployed on ${done}/${deployments.length}`;
      const failed = deployments
        .filter(hasFailed)
        .map(({ network_id, message }) => `${networks?.of(network_id) ?? network_id}: ${message}`);
      return {
        text: messages[0] ? `${text}: ${messages[0]}` : text,
        step: { type: 'step', id, symbol, deployed: done, deployments: deployments.length, messages },
        isDone: done === deployments.length,
        problem: failed.length > 0 ? failed.join('; ') : undefined,
      };
    },
  };
}

/** In whole tokens, and as the service says it. */
function supplyText({ total_supply, decimals, symbol }: Token): string | undefined {
  if (total_supply === undefined || !/^\d+$/.test(total_supply)) return total_supply;
  return `${coinsText(BigInt(total_supply), decimals, decimals)} ${symbol} (${total_supply} of its smallest units)`;
}

export async function showToken({ ui, client }: Context, token: Token): Promise<void> {
  const networks = await namesOfNetworks(await client());
  const { id, name, symbol, type, mechanism, decimals, deployments = [] } = token;
  const fields = fieldsText([
    ['Name', name],
    ['Symbol', symbol],
    ['Id', id],
    ['Standard', [type, mechanism].filter(Boolean).join(' ')],
    ['Decimals', String(decimals)],
    ['Total supply', supplyText(token)],
  ]);
  const table = tableText(deployments, [
    { title: 'network', value: ({ network_id }) => networks.of(network_id) },
    { title: 'state', value: ({ state = '' }) => state },
    { title: 'address', value: ({ token_address }) => token_address },
    { title: 'message', value: ({ message = '' }) => message },
  ]);
  ui.object(token, deployments.length > 0 ? `${fields}\n${table}` : fields);
}
