/** English. In the first load of the console: what else the page says is loaded with it. */
export const news = {
  page: 'Sign-in and sessions',
  title: 'First API key',
  text: 'The first API key of this installation is still valid.',
  action: 'Replace it with your own way to sign in',
};
