import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspace } from '../../../console/src/app/parents.tsx';
import type { ConsoleFeature } from '../../../console/src/feature.ts';

const audit = createRoute({
  getParentRoute: () => workspace,
  path: '/audit',
  component: lazyRouteComponent(() => import('./AuditPage.tsx'), 'AuditPage'),
});

export const feature = {
  workspaceRoutes: [audit],
  workspaceSections: [{ path: '/audit', label: 'Audit', permission: 'audit:read' }],
} as const satisfies ConsoleFeature;
