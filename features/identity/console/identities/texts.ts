/** English. */
export const texts = {
  title: 'Linked accounts and wallets',
  text: 'Accounts at identity providers, and wallets, that sign you in here. Each belongs to one account of this installation.',
  noWallet: 'To link a wallet, open this page in a browser that has one.',
  linkProvider: (title: string) => `Link ${title}`,
  linkWallet: (name: string) => `Link the wallet ${name}`,
  wallet: 'Wallet',
  linked: (time: string) => `linked ${time}`,
  linkedNow: 'Wallet linked',
  unlink: 'Unlink',
  unlinkTitle: 'Unlink it?',
  unlinkText:
    'It no longer signs you in, and your other sessions end. Make sure that you have another way to sign in.',
  unlinked: 'It is unlinked.',
  failedTitle: 'Nothing was linked',
  declined: 'You declined in the wallet. Choose it again when you are ready to sign.',
};
