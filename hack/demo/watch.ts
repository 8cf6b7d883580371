import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../lib/run.ts';
import { type ApiAccess, callApi } from '../up/api.ts';
import { unexpected } from './objects.ts';

const intervalMs = 100;
const limitMs = 180_000;

interface Status {
  state?: string;
  message?: string;
  chainID?: string;
  execution?: { output?: string; currentStep?: number; totalSteps?: number };
}

/** One line about a network's status, as the demo shows it. */
export function describeStatus(status: Status): string {
  const { currentStep, totalSteps } = status.execution ?? {};
  const progress = totalSteps === undefined ? '' : ` ${currentStep ?? 0}/${totalSteps}`;
  return `${status.state ?? 'Pending'}${progress}${status.message ? `: ${status.message}` : ''}`;
}

/**
 * Polls a network until it is Operational and hands each new status line to `show`; answers its chain id.
 * Throws UserError with the last line when that takes longer than three minutes.
 */
export async function watchUntilOperational(
  access: ApiAccess,
  id: string,
  show: (line: string) => void,
): Promise<string> {
  const deadline = Date.now() + limitMs;
  let shown = '';
  for (;;) {
    const answer = await callApi(access, { path: `/v1alpha/networks/${id}` });
    if (answer.status !== 200) throw unexpected('reading the network', answer);
    const status = (answer.body.status ?? {}) as Status;
    const line = describeStatus(status);
    if (line !== shown) show(line);
    shown = line;
    if (status.state === 'Operational') return status.chainID ?? '';
    if (Date.now() > deadline) throw new UserError(`the network is not Operational. Last: ${line}`);
    await sleep(intervalMs);
  }
}
