import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../lib/run.ts';
import { type ApiAccess, callApi } from '../up/api.ts';
import { unexpectedResponse } from './objects.ts';

const intervalMs = 100;
const limitMs = 180_000;

interface Status {
  state?: string;
  message?: string;
  chainID?: string;
  execution?: { output?: string; currentStep?: number; totalSteps?: number };
}

/** A network's status in one line, as the demo shows it. */
export function describeStatus(status: Status): string {
  const { currentStep, totalSteps } = status.execution ?? {};
  const progress = totalSteps === undefined ? '' : ` ${currentStep ?? 0}/${totalSteps}`;
  return `${status.state ?? 'Pending'}${progress}${status.message ? `: ${status.message}` : ''}`;
}

/**
 * Polls a network until it is Operational and passes each new status line to `show`. Returns the chain id.
 * Throws UserError with the last status line after three minutes.
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
    if (answer.status !== 200) throw unexpectedResponse('reading the network', answer);
    const status = (answer.body.status ?? {}) as Status;
    const line = describeStatus(status);
    if (line !== shown) show(line);
    shown = line;
    if (status.state === 'Operational') return status.chainID ?? '';
    if (Date.now() > deadline)
      throw new UserError(`The network did not become Operational in time. Last status: ${line}`);
    await sleep(intervalMs);
  }
}
