import { workspaceRow } from '../../../apiserver/testing/tenantRow.ts';
import type { TestFeature } from '../../../test/feature.ts';

export const feature: TestFeature = { tenantRows: { getUsage: workspaceRow } };
