/**
 * The member that a field with a number is, or none if it is empty. Anything but a number is sent as it is, and the service
 * says what is wrong with it: JSON would have null for it, which some requests take as left out.
 */
export function numberMember<Name extends string>(name: Name, value: string): { [name in Name]?: number } {
  const trimmed = value.trim();
  if (trimmed === '') return {};
  const parsed = Number(trimmed);
  return { [name]: Number.isFinite(parsed) ? parsed : trimmed } as { [name in Name]?: number };
}
