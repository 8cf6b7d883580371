import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { networkSearch } from '../pages/network/search.ts';
import { networksSearch } from '../pages/networks/search.ts';
import { NotFound } from './NotFound.tsx';
import { Shell } from './Shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: () => <NotFound /> });

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/networks', replace: true });
  },
});

const networks = createRoute({
  getParentRoute: () => root,
  path: '/networks',
  validateSearch: networksSearch,
  component: lazyRouteComponent(() => import('../pages/networks/NetworksPage.tsx'), 'NetworksPage'),
});

const create = createRoute({
  getParentRoute: () => root,
  path: '/networks/new',
  component: lazyRouteComponent(() => import('../pages/create/CreatePage.tsx'), 'CreatePage'),
});

const network = createRoute({
  getParentRoute: () => root,
  path: '/networks/$id',
  validateSearch: networkSearch,
  component: lazyRouteComponent(() => import('../pages/network/NetworkPage.tsx'), 'NetworkPage'),
});

const explorer = createRoute({
  getParentRoute: () => root,
  path: '/networks/$id/explorer',
  component: lazyRouteComponent(() => import('../pages/explorer/ExplorerPage.tsx'), 'ExplorerPage'),
});

/** The same page, about a block, a transaction or an address. */
const explored = createRoute({ getParentRoute: () => explorer, path: '$kind/$value' });

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  component: lazyRouteComponent(() => import('../pages/sessions/SessionsPage.tsx'), 'SessionsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([start, networks, create, network, explorer.addChildren([explored]), sessions]),
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
