import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { routes, workspaceRoutes } from '../features.ts';
import { listSearch } from '../lib/listSearch.ts';
import { Loading } from '../loading/Loading.tsx';
import { PageProblem } from '../loading/Problem.tsx';
import { part } from '../loading/part.tsx';
import { createSearch } from '../pages/create/search.ts';
import { tabSearch } from '../pages/network/search.ts';
import { tokenSearch } from '../pages/token/search.ts';
import { tokensSearch } from '../pages/tokens/search.ts';
import { NoPage } from './NotFound.tsx';
import { root, workspace } from './parents.tsx';
import { Shell } from './Shell.tsx';

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
  component: part(() => import('../pages/networks/NetworksPage.tsx').then((file) => file.NetworksPage)),
});

const create = createRoute({
  getParentRoute: () => root,
  path: '/networks/new',
  validateSearch: createSearch,
  component: part(() => import('../pages/create/CreatePage.tsx').then((file) => file.CreatePage)),
});

const network = createRoute({
  getParentRoute: () => root,
  path: '/networks/$id',
  validateSearch: tabSearch,
  component: part(() => import('../pages/network/NetworkPage.tsx').then((file) => file.NetworkPage)),
});

// Their pages show parts of features, whose routes are below them.
root.update({ component: Shell, notFoundComponent: NoPage });
workspace.update({
  component: part(() => import('../pages/workspace/WorkspacePage.tsx').then((file) => file.WorkspacePage)),
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
  component: part(() => import('../pages/members/MembersPage.tsx').then((file) => file.MembersPage)),
});

const apiKeys = createRoute({
  getParentRoute: () => workspace,
  path: '/api-keys',
  component: part(() => import('../pages/apiKeys/ApiKeysPage.tsx').then((file) => file.ApiKeysPage)),
});

const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/general',
  component: part(() => import('../pages/workspace/SettingsPage.tsx').then((file) => file.SettingsPage)),
});

const workspacePages = workspace.addChildren([
  ...[workspaceStart, members, apiKeys, settings],
  ...workspaceRoutes,
]);

const tokens = createRoute({
  getParentRoute: () => root,
  path: '/tokens',
  validateSearch: tokensSearch,
  component: part(() => import('../pages/tokens/TokensPage.tsx').then((file) => file.TokensPage)),
});

const deploy = createRoute({
  getParentRoute: () => root,
  path: '/tokens/new',
  component: part(() => import('../pages/deploy/DeployPage.tsx').then((file) => file.DeployPage)),
});

const token = createRoute({
  getParentRoute: () => root,
  path: '/tokens/$id',
  validateSearch: tokenSearch,
  component: part(() => import('../pages/token/TokenPage.tsx').then((file) => file.TokenPage)),
});

const transactions = createRoute({
  getParentRoute: () => root,
  path: '/transactions',
  validateSearch: listSearch,
  component: part(() =>
    import('../pages/transactions/TransactionsPage.tsx').then((file) => file.TransactionsPage),
  ),
});

const submit = createRoute({
  getParentRoute: () => root,
  path: '/transactions/new',
  component: part(() => import('../pages/submit/SubmitPage.tsx').then((file) => file.SubmitPage)),
});

const recordings = createRoute({
  getParentRoute: () => root,
  path: '/recordings',
  validateSearch: listSearch,
  component: part(() => import('../pages/recordings/RecordingsPage.tsx').then((file) => file.RecordingsPage)),
});

const recording = createRoute({
  getParentRoute: () => root,
  path: '/recordings/$id',
  component: part(() => import('../pages/recording/RecordingPage.tsx').then((file) => file.RecordingPage)),
});

const secrets = createRoute({
  getParentRoute: () => root,
  path: '/secrets',
  validateSearch: listSearch,
  component: part(() => import('../pages/secrets/SecretsPage.tsx').then((file) => file.SecretsPage)),
});

export const router = createRouter({
  routeTree: root.addChildren([
    ...[start, networks, create, network],
    ...[workspacePages, ...routes],
    ...[tokens, deploy, token, transactions, submit, recordings, recording, secrets],
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageProblem,
  // The former page does not stay under the new address.
  defaultPendingComponent: Loading,
  defaultPendingMs: 500,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
