import type { ApiKeyResource } from '../../../core/api/resources/accountResources.ts';
import { apiKeyType } from '../../../core/api/resources/resources.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { atMost, type Quota } from '../quota.ts';

/** Limits the keys of a user over all workspaces: a user with many workspaces has no more than others. */
export function keyQuotaOf({ quota }: Pick<WorkspaceDeps, 'quota'>, userId: string): Quota<ApiKeyResource> {
  const max = quota.apiKeys;
  return {
    type: apiKeyType,
    selection: { 'spec.user': userId },
    refuse: atMost(
      max,
      (count) =>
        new AppError(
          'BadRequest',
          `you have ${count} API keys in all workspaces, the maximum is ${max} (quota.apiKeys): delete one first`,
        ),
    ),
  };
}
