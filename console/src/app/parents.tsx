import { createRootRoute, createRoute } from '@tanstack/react-router';

/** Routes that have others below them, also of features. Their pages show parts of features: see router.tsx. */
export const root = createRootRoute();

export const workspace = createRoute({ getParentRoute: () => root, path: '/settings' });
