/** English. */
export const texts = {
  loading: 'Loading',
  slow: 'Still loading: the service takes longer than usual to answer.',
  partFailed: 'This part did not load',
  partFailedText:
    'A file did not arrive. The connection may be unreliable, or the service is being restarted.',
  pageFailed: 'This page ran into a problem',
  pageFailedText:
    'The rest of the console still works. Try again, or load the page again if it happens twice.',
  retry: 'Try again',
  reload: 'Reload the page',
};
