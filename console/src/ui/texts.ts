/** English. */
export const texts = {
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser refused: select the text and copy it.',
  close: 'Close',
  cancel: 'Cancel',
  optional: 'optional',
  requestId: (id: string) => `Request ${id}`,
  failed: 'That did not work',
  unexpected: 'Something unexpected happened.',
  loading: 'Loading',
  states: {
    Pending: 'Pending',
    Operational: 'Operational',
    Stopping: 'Stopping',
    Stopped: 'Stopped',
    Error: 'Error',
    Ready: 'Ready',
    Failed: 'Failed',
  },
};
