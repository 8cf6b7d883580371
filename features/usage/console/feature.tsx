import { createRoute } from '@tanstack/react-router';
import { workspace } from '../../../console/src/app/parents.tsx';
import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { part } from '../../../console/src/loading/part.tsx';

const usage = createRoute({
  getParentRoute: () => workspace,
  path: '/usage',
  component: part(() => import('./UsagePage.tsx').then((file) => file.UsagePage)),
});

export const feature = {
  workspaceRoutes: [usage],
  workspaceSections: [{ path: '/usage', label: 'Usage' }],
} as const satisfies ConsoleFeature;
