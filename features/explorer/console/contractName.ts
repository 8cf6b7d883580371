/** `src/Counter.sol:Counter` is what a compiler calls it, and Counter what people do. */
export function contractName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}
