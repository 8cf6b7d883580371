/** English. */
export const texts = {
  title: 'Sessions',
  text: 'Browsers that are signed in as you. A session ends after 12 hours, after an hour without use, or when you end it.',
  current: 'This browser',
  end: 'End session',
  endTitle: 'End this session?',
  endText: 'The browser is signed out at once.',
  ended: 'The session has ended.',
  unknownBrowser: 'A browser without a name',
  from: (source: string) => `from ${source}`,
  used: (time: string) => `used ${time}`,
  began: (time: string) => `signed in ${time}`,
  expires: (time: string) => `ends ${time} at the latest`,
};
