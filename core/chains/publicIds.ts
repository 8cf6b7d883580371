/** Why a network must not have the id of a public one; undefined when it may. Replay protection relies on these ids. */
export function refusePublicId(
  publicIds: ReadonlySet<string>,
  chainId: string,
  isFork: boolean,
): string | undefined {
  if (isFork || !publicIds.has(chainId)) return undefined;
  return `chain id ${chainId} belongs to a public network: only a fork may use it. Choose another, or omit it`;
}
