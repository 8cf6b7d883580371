import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { workspaceRoutes } from '../features.ts';
import { listSearch } from '../lib/listSearch.ts';
import { deviceSearch } from '../pages/device/search.ts';
import { networkSearch } from '../pages/network/search.ts';
import { tokenSearch } from '../pages/token/search.ts';
import { tokensSearch } from '../pages/tokens/search.ts';
import { root, workspace } from './parents.tsx';

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
  validateSearch: listSearch,
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

const device = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/device',
  validateSearch: deviceSearch,
  component: lazyRouteComponent(() => import('../pages/device/DevicePage.tsx'), 'DevicePage'),
});

// Its page shows sections of features, whose routes are below it.
workspace.update({
  component: lazyRouteComponent(() => import('../pages/workspace/WorkspacePage.tsx'), 'WorkspacePage'),
});

const workspaceStart = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/members', replace: true });
  },
});

const members = createRoute({
  getParentRoute: () => workspace,
  path: '/members',
  component: lazyRouteComponent(() => import('../pages/members/MembersPage.tsx'), 'MembersPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => workspace,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../pages/apiKeys/ApiKeysPage.tsx'), 'ApiKeysPage'),
});

const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/general',
  component: lazyRouteComponent(() => import('../pages/workspace/SettingsPage.tsx'), 'SettingsPage'),
});

const workspacePages = workspace.addChildren([
  ...[workspaceStart, members, apiKeys, settings],
  ...workspaceRoutes,
]);

const tokens = createRoute({
  getParentRoute: () => root,
  path: '/tokens',
  validateSearch: tokensSearch,
  component: lazyRouteComponent(() => import('../pages/tokens/TokensPage.tsx'), 'TokensPage'),
});

const deploy = createRoute({
  getParentRoute: () => root,
  path: '/tokens/new',
  component: lazyRouteComponent(() => import('../pages/deploy/DeployPage.tsx'), 'DeployPage'),
});

const token = createRoute({
  getParentRoute: () => root,
  path: '/tokens/$id',
  validateSearch: tokenSearch,
  component: lazyRouteComponent(() => import('../pages/token/TokenPage.tsx'), 'TokenPage'),
});

const transactions = createRoute({
  getParentRoute: () => root,
  path: '/transactions',
  validateSearch: listSearch,
  component: lazyRouteComponent(
    () => import('../pages/transactions/TransactionsPage.tsx'),
    'TransactionsPage',
  ),
});

const submit = createRoute({
  getParentRoute: () => root,
  path: '/transactions/new',
  component: lazyRouteComponent(() => import('../pages/submit/SubmitPage.tsx'), 'SubmitPage'),
});

const recordings = createRoute({
  getParentRoute: () => root,
  path: '/recordings',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../pages/recordings/RecordingsPage.tsx'), 'RecordingsPage'),
});

const recording = createRoute({
  getParentRoute: () => root,
  path: '/recordings/$id',
  component: lazyRouteComponent(() => import('../pages/recording/RecordingPage.tsx'), 'RecordingPage'),
});

const secrets = createRoute({
  getParentRoute: () => root,
  path: '/secrets',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../pages/secrets/SecretsPage.tsx'), 'SecretsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    ...[start, networks, create, network, explorer.addChildren([explored])],
    ...[account, sessions, signIn, device, workspacePages],
    ...[tokens, deploy, token, transactions, submit, recordings, recording, secrets],
  ]),
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
