import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspace } from '../../../console/src/app/parents.tsx';
import type { ConsoleFeature } from '../../../console/src/feature.ts';

const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./WebhooksPage.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('./WebhookPage.tsx'), 'WebhookPage'),
});

export const feature = {
  workspaceRoutes: [webhooks, webhook],
  workspaceSections: [{ path: '/webhooks', label: 'Webhooks', permission: 'webhooks:read' }],
} as const satisfies ConsoleFeature;
