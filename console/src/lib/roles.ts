/** The roles of a workspace, the one that may do most first. */
const roles = ['owner', 'admin', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

const names: readonly string[] = roles;

/** The roles that somebody with `role` can give: their own and those below it. */
export function rolesUpTo(role: string): readonly Role[] {
  const at = names.indexOf(role);
  return at === -1 ? [] : roles.slice(at);
}
