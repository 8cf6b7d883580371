/** A value as one segment of a path. Throws TypeError for one that would lead to another path. */
export function segment(value: string): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
    throw new TypeError(`"${value}" is not an id: it would change the path of the request`);
  }
  return encodeURIComponent(value);
}
