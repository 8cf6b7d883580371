import { createRootRoute, createRoute } from '@tanstack/react-router';
import { NotFound } from './NotFound.tsx';
import { Shell } from './Shell.tsx';

/** Routes that have others below them, also of features. */
export const root = createRootRoute({ component: Shell, notFoundComponent: () => <NotFound /> });

export const workspace = createRoute({ getParentRoute: () => root, path: '/settings' });
