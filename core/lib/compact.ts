/** `T` as it is without its undefined members: those that may be undefined are optional, the others stay as they are. */
export type Compact<T extends object> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/**
 * The object without its members that are undefined, because exact optional members are absent or set. Everything
 * else stays: null, '', 0 and false too.
 */
export function compact<T extends object>(members: T): Compact<T>;
export function compact(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
