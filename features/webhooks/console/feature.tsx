import { createRoute } from '@tanstack/react-router';
import { workspace } from '../../../console/src/app/parents.tsx';
import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { part } from '../../../console/src/loading/part.tsx';

const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks',
  component: part(() => import('./WebhooksPage.tsx').then((file) => file.WebhooksPage)),
});

const webhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$id',
  component: part(() => import('./WebhookPage.tsx').then((file) => file.WebhookPage)),
});

export const feature = {
  workspaceRoutes: [webhooks, webhook],
  workspaceSections: [{ path: '/webhooks', label: 'Webhooks', permission: 'webhooks:read' }],
} as const satisfies ConsoleFeature;
