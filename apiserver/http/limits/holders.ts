/** The name under which a user is counted. */
export const nameOf = ({ userId }: { userId: string }): string => `user/${userId}`;

/** The user who is counted under a name; undefined for networks and addresses. */
export function userIn(name: string): string | undefined {
  return /^user\/(.*)$/.exec(name)?.[1];
}
