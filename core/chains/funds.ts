const wei = 10n ** 18n;
/** The balance of privateKeyRef's hot key on an EVM chain from the first block on, in wei. */
export const hotBalance = 1_000_000n * wei;
/** The balance of each account of mnemonicRef from the first block on, in wei. */
export const mnemonicBalance = 10_000n * wei;
/** The balance of each workspace member's default key from the first block on, in wei. */
export const memberBalance = 10_000n * wei;
