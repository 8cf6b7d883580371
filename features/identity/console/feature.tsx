import { createRoute, redirect } from '@tanstack/react-router';
import { root } from '../../../console/src/app/parents.tsx';
import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { part } from '../../../console/src/loading/part.tsx';
import { FirstKeyNews } from './account/FirstKeyNews.tsx';
import { news } from './account/news.ts';
import { deviceSearch } from './device/search.ts';
import { sessions } from './lib/sessions.ts';
import { LinkGate } from './signIn/LinkGate.tsx';
import { takeLinkToken } from './signIn/linkToken.ts';

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: part(() => import('./account/AccountPage.tsx').then((file) => file.AccountPage)),
});

const sessionsOfAccount = createRoute({
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
  component: part(() => import('./device/DevicePage.tsx').then((file) => file.DevicePage)),
});

export const feature = {
  signIn: {
    sessions,
    Page: part(() => import('./signIn/SignIn.tsx').then((file) => file.SignIn)),
    Around: LinkGate,
    prepare: takeLinkToken,
  },
  openPages: {
    '/sign-in/callback': part(() => import('./signIn/CallbackPage.tsx').then((file) => file.CallbackPage)),
    '/invitations/accept': part(() =>
      import('./invitation/InvitationPage.tsx').then((file) => file.InvitationPage),
    ),
  },
  routes: [account, sessionsOfAccount, signIn, device],
  accountPages: [{ path: '/account', label: news.page }],
  notices: [{ name: 'firstKey', Notice: FirstKeyNews }],
} as const satisfies ConsoleFeature;
