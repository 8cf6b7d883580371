/** An id in the form of Dfns, from 26 hexadecimal digits: `wa-5b41k-8f2qd-9c0d1e2f3a4b5c6d`. */
export function idOf(prefix: string, digits: string): string {
  return `${prefix}-${digits.slice(0, 5)}-${digits.slice(5, 10)}-${digits.slice(10, 26)}`;
}
