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

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('../pages/account/AccountPage.tsx'), 'AccountPage'),
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  beforeLoad: () => {
    throw redirect({ to: '/account', replace: true });
  },
});

/** Whoever opens a sign-in link a second time is signed in already. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => {
    throw redirect({ to: '/networks', replace: true });
  },
});

export const router = createRouter({
  routeTree: root.addChildren([start, networks, create, network, account, sessions, signIn]),
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
