import type { ComponentType } from 'react';
import { part } from '../loading/part.tsx';

/** Pages that show the same to whoever is signed in and whoever is not. */
const openPages: Readonly<Record<string, ComponentType>> = {
  '/sign-in/callback': part(() =>
    import('../pages/signIn/CallbackPage.tsx').then((file) => file.CallbackPage),
  ),
  '/invitations/accept': part(() =>
    import('../pages/invitation/InvitationPage.tsx').then((file) => file.InvitationPage),
  ),
};

export const openPageAt = (path: string): ComponentType | undefined =>
  Object.hasOwn(openPages, path) ? openPages[path] : undefined;
