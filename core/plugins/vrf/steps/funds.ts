import type { Step } from '../../../deploy/step.ts';
import { accountOf } from '../keys.ts';
import { ownerOf, type StepsInput } from './common.ts';

const unit = 10n ** 18n;
const payment = 5n * unit;

/** Pays for the gas of answers. */
export function fundsSteps(input: StepsInput): Step[] {
  const { network, ...owner } = ownerOf(input);
  const account = accountOf(input);
  return [
    {
      ...owner,
      kind: 'call',
      network: network.id,
      name: 'agent-funds',
      title: 'pays for the gas of answers',
      after: [],
      transaction: () => ({ to: account, data: '0x', value: payment }),
      reads: () => [
        {
          what: `the account ${account} holds enough for gas`,
          balanceOf: account,
          isMet: (result) => BigInt(result ?? 0) >= unit,
        },
      ],
    },
  ];
}
