import type { ChainTypeOffer } from '../../../sdk/src/generated/types.ts';
import { fail } from '../../lib/failure.ts';
import { ours } from '../../lib/ours.ts';
import type { CommandSpec } from '../../lib/spec.ts';

export const typesCommand: CommandSpec = {
  usage: 'types [type]',
  summary: 'List the chain types with their clients and plugins, and what of them this installation can run.',
  examples: [
    'slipway network types',
    'slipway network types Ethereum',
    "slipway network types --json | jq -r '.items[] | select(.missing) | .value'",
  ],
  async run(context, { args: [wanted] }) {
    const { io, ui } = context;
    const { networks } = await context.client();
    const { items } = await ours(networks.listChainTypes({ signal: io.signal }), 'items');
    const shown = wanted === undefined ? items : [ofType(wanted, items)];
    if (wanted === undefined)
      ui.note('For what is missing, and how long building takes: slipway network types TYPE');
    await ui.list(shown.flatMap(choicesOf), [
      { title: 'type', value: ({ type }) => type },
      { title: 'setting', value: ({ setting }) => setting },
      { title: 'value', value: ({ value }) => value },
      {
        title: 'on this installation',
        value: ({ missing, wait }) =>
          wanted === undefined ? shortly({ missing, wait }) : (missing ?? wait ?? 'yes'),
      },
    ]);
  },
};

/** On the lines of all types, only whether. */
function shortly({ missing, wait }: Pick<ChainTypeOffer, 'missing' | 'wait'>): string {
  if (missing !== undefined) return 'no';
  return wait === undefined ? 'yes' : 'built on first use';
}

function ofType(wanted: string, items: readonly ChainTypeOffer[]): ChainTypeOffer {
  const found = items.find(({ type }) => type.toLowerCase() === wanted.toLowerCase());
  if (found) return found;
  const known = items.map(({ type }) => type).join(', ');
  throw fail('notFound', `There is no chain type "${wanted}".`, `Use one of: ${known}`);
}

/** The type itself, and then what its networks can choose. */
function choicesOf({ type, missing, wait, options }: ChainTypeOffer) {
  return [{ setting: 'type', value: type, missing, wait }, ...options].map((choice) => ({ type, ...choice }));
}
