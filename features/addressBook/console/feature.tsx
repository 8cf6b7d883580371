import { createRoute } from '@tanstack/react-router';
import { workspace } from '../../../console/src/app/parents.tsx';
import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { listSearch } from '../../../console/src/lib/listSearch.ts';
import { part } from '../../../console/src/loading/part.tsx';
import { useNames } from './names.ts';

const addresses = createRoute({
  getParentRoute: () => workspace,
  path: '/addresses',
  validateSearch: listSearch,
  component: part(() => import('./AddressBookPage.tsx').then((file) => file.AddressBookPage)),
});

export const feature = {
  workspaceRoutes: [addresses],
  workspaceSections: [{ path: '/addresses', label: 'Address book', permission: 'networks:read' }],
  addressNames: {
    useNames,
    path: '/settings/addresses',
    Naming: part(() => import('./Naming.tsx').then((file) => file.Naming)),
  },
} as const satisfies ConsoleFeature;
