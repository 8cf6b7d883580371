export const tabs = ['deployments', 'connections', 'further'] as const;
export type Tab = (typeof tabs)[number];

export interface TokenSearch {
  tab?: Tab;
}

export function tokenSearch({ tab }: Record<string, unknown>): TokenSearch {
  const found = tabs.find((one) => one === tab);
  return found && found !== 'deployments' ? { tab: found } : {};
}
