/** English. */
export const texts = {
  or: 'or',
  ways: 'Other ways to sign in',
  continueWith: (title: string) => `Continue with ${title}`,
  continueWithWallet: (name: string) => `Continue with the wallet ${name}`,
  leaving: (title: string) => `Going to ${title}…`,
  declined: 'You declined in the wallet. Choose it again when you are ready to sign.',
  callbackTitle: 'Signing you in',
  callbackBusy: 'Checking the answer of the provider.',
  failedTitle: 'You are not signed in',
  linkFailedTitle: 'Nothing was linked',
  toSignIn: 'Go to the sign-in page',
  toAccount: 'Go to your account',
};
