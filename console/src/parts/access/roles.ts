import { texts } from './texts.ts';

const names: Readonly<Record<string, string>> = texts.roles;
const hints: Readonly<Record<string, string>> = texts.roleHints;

/** What people call a role. */
export const roleName = (role: string): string => names[role] ?? role;

/** What it may do. */
export const roleHint = (role: string): string | undefined => hints[role];
