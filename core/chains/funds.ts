const wei = 10n ** 18n;
/** What the hot key of privateKeyRef holds on an EVM chain from the first block on, in wei. */
export const hotBalance = 1_000_000n * wei;
/** What each account of mnemonicRef holds from the first block on, in wei. */
export const mnemonicBalance = 10_000n * wei;
/** What the default key of each member of the workspace holds from the first block on, in wei. */
export const memberBalance = 10_000n * wei;
