/** An e-mail address in the form in which it is compared: as mail servers in use do. */
export const addressOf = (text: string): string => text.trim().toLowerCase();

/** Whether two addresses are the same. */
export function isSameEmail(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && addressOf(one) === addressOf(other);
}
