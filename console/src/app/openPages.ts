import { type ComponentType, lazy } from 'react';

/** Pages that show the same to whoever is signed in and whoever is not. */
const openPages: Readonly<Record<string, ComponentType>> = {
  '/sign-in/callback': lazy(async () => ({
    default: (await import('../pages/signIn/CallbackPage.tsx')).CallbackPage,
  })),
  '/invitations/accept': lazy(async () => ({
    default: (await import('../pages/invitation/InvitationPage.tsx')).InvitationPage,
  })),
};

export const openPageAt = (path: string): ComponentType | undefined =>
  Object.hasOwn(openPages, path) ? openPages[path] : undefined;
