import { createRoute } from '@tanstack/react-router';
import { workspace } from '../../../console/src/app/parents.tsx';
import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { part } from '../../../console/src/loading/part.tsx';

const audit = createRoute({
  getParentRoute: () => workspace,
  path: '/audit',
  component: part(() => import('./AuditPage.tsx').then((file) => file.AuditPage)),
});

export const feature = {
  workspaceRoutes: [audit],
  workspaceSections: [{ path: '/audit', label: 'Audit', permission: 'audit:read' }],
} as const satisfies ConsoleFeature;
