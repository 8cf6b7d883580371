import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspace } from '../../../console/src/app/parents.tsx';
import type { ConsoleFeature } from '../../../console/src/feature.ts';

const usage = createRoute({
  getParentRoute: () => workspace,
  path: '/usage',
  component: lazyRouteComponent(() => import('./UsagePage.tsx'), 'UsagePage'),
});

export const feature = {
  workspaceRoutes: [usage],
  workspaceSections: [{ path: '/usage', label: 'Usage' }],
} as const satisfies ConsoleFeature;
