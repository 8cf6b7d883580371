import type { AccountRow } from '../../mcp/accounts.ts';
import type { Network } from '../../sdk/src/generated/types.ts';
import { maskedUrl } from '../../sdk/src/maskedUrl.ts';
import { type Column, fieldsText } from '../io/table.ts';
import type { Context } from '../lib/context.ts';
import { ageText } from '../lib/duration.ts';
import { balanceText, originOf } from './accounts.ts';

/** Of many accounts, a list has a command of its own. */
const shownAccounts = 3;

/** How long ago `time` was, as the columns AGE show it. */
export function ageOf(time: string | undefined, nowMs: number): string {
  const ms = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? '' : ageText(ms, nowMs);
}

export function networkColumns(nowMs: number): readonly Column<Network>[] {
  return [
    { title: 'name', value: ({ name }) => name },
    { title: 'type', value: ({ spec }) => spec.chain.type },
    { title: 'state', value: ({ status }) => status?.state ?? 'Pending' },
    { title: 'chain id', value: ({ status }) => status?.chainID ?? '' },
    { title: 'age', value: ({ metadata }) => ageOf(metadata.createdAt, nowMs) },
    { title: 'id', value: ({ id }) => id },
  ];
}

/** Prints one network, and who has funds on it. URLs are shown without their access keys: "network env" prints those. */
export function showNetwork(
  { ui, io }: Context,
  network: Network,
  accounts: readonly AccountRow[] = [],
): void {
  const { id, name, spec, status, metadata } = network;
  const labels = Object.entries(metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  ui.object(
    network,
    fieldsText([
      ['Name', name],
      ['Id', id],
      ['Type', spec.chain.type],
      ['State', status?.state ?? 'Pending'],
      ['Message', status?.message],
      ['Chain id', status?.chainID],
      ['Persistent', spec.persistent ? 'yes' : undefined],
      ['Labels', labels.join(', ')],
      ['Expires', status?.expiresAt],
      ['Age', ageOf(metadata.createdAt, io.clock.nowMs())],
      ...accounts
        .slice(0, shownAccounts)
        .map(
          (one) =>
            [
              'Account',
              [one.address, balanceText(one, network), originOf(one)].filter(Boolean).join('  '),
            ] as const,
        ),
      [
        '',
        accounts.length > shownAccounts
          ? `all ${accounts.length}: slipway network accounts ${name}`
          : undefined,
      ],
      ...Object.entries(status?.endpoints ?? {}).map(([service, url]) => [service, maskedUrl(url)] as const),
    ]),
  );
}
