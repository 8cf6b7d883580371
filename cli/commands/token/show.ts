import type { Clock } from '../../../core/lib/clock.ts';
import type { Deployment, Token } from '../../../sdk/src/generated/types.ts';
import { fieldsText, tableText } from '../../io/table.ts';
import type { Client } from '../../lib/client.ts';
import type { Context } from '../../lib/context.ts';
import type { Wait } from '../../lib/wait.ts';

const isDeployed = ({ token_address, message }: Deployment) => token_address !== '' && !message;

/** Messages of deployments that are under way. */
const underWay = /^(waiting|deploying|retrying|the deployment has not started)/;
const patienceMs = 30_000;

/** The API has no state of a deployment: one that says the same for long, and is not under way, does not go on by itself. */
function isStuck({ message = '' }: Deployment, saidForMs: number): boolean {
  if (message.endsWith('which is Error')) return true;
  return message !== '' && !underWay.test(message) && saidForMs >= patienceMs;
}

/** Waits until the token is deployed on all networks. */
export function tokenWait(client: Client, clock: Clock, { id, symbol }: Pick<Token, 'id' | 'symbol'>): Wait {
  let said = { text: '', sinceMs: clock.nowMs() };
  return {
    what: `token "${symbol}"`,
    follow: `See: slipway token get ${id}`,
    async look(signal) {
      const { deployments = [] } = await client.tokens.get(id, { signal });
      const done = deployments.filter(isDeployed).length;
      const messages = deployments.flatMap(({ message }) => message ?? []);
      const text = `${symbol}: deployed on ${done}/${deployments.length}`;
      const nowText = messages.join(';');
      if (nowText !== said.text) said = { text: nowText, sinceMs: clock.nowMs() };
      const saidForMs = clock.nowMs() - said.sinceMs;
      const failed = deployments
        .filter((deployment) => isStuck(deployment, saidForMs))
        .map(({ network_id, message }) => `${network_id}: ${message}`);
      return {
        text: messages[0] ? `${text}: ${messages[0]}` : text,
        step: { type: 'step', id, symbol, deployed: done, deployments: deployments.length, messages },
        isDone: done === deployments.length,
        problem: failed.length > 0 ? failed.join('; ') : undefined,
      };
    },
  };
}

export function showToken({ ui }: Context, token: Token): void {
  const { id, name, symbol, type, mechanism, decimals, total_supply, deployments = [] } = token;
  const fields = fieldsText([
    ['Name', name],
    ['Symbol', symbol],
    ['Id', id],
    ['Standard', [type, mechanism].filter(Boolean).join(' ')],
    ['Decimals', String(decimals)],
    ['Total supply', total_supply],
  ]);
  const table = tableText(deployments, [
    { title: 'network', value: ({ network_id }) => network_id },
    { title: 'address', value: ({ token_address }) => token_address },
    { title: 'message', value: ({ message = '' }) => message },
  ]);
  ui.object(token, deployments.length > 0 ? `${fields}\n${table}` : fields);
}
