import type { TestFeature } from '../../../apiserver/testing/feature.ts';
import { workspaceRow } from '../../../apiserver/testing/tenantRow.ts';

export const feature: TestFeature = { tenantRows: { getUsage: workspaceRow } };
