import { createRoute } from '@tanstack/react-router';
import { root } from '../../../console/src/app/parents.tsx';
import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { part } from '../../../console/src/loading/part.tsx';
import { tabSearch } from '../../../console/src/pages/network/search.ts';
import { pathOf } from './pathOf.ts';

const explorer = createRoute({
  getParentRoute: () => root,
  path: '/networks/$id/explorer',
  validateSearch: tabSearch,
  component: part(() => import('./ExplorerPage.tsx').then((file) => file.ExplorerPage)),
});

/** The same page, about a block, a transaction or an address. */
const explored = createRoute({
  getParentRoute: () => explorer,
  path: '$kind/$value',
  validateSearch: tabSearch,
});

export const feature = {
  routes: [explorer.addChildren([explored])],
  explorer: {
    label: 'Explorer',
    pathOf,
    loadSearch: () => import('./search/useFound.ts').then((file) => file.useFound),
    readBalances: (...asked) => import('./balances.ts').then((file) => file.readBalances(...asked)),
  },
} as const satisfies ConsoleFeature;
