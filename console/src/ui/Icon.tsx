import styles from './controls.module.css';

/** Paths in a box of 24, drawn with a line of 1.75. */
const paths = {
  edit: 'M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  alert:
    'M12 9v4m0 4h.01M10.3 3.9 2.4 17.5A2 2 0 0 0 4.1 20.5h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  arrowLeft: 'M19 12H5m6-6-6 6 6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm6 9 6 6 6-6',
  clock: 'M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  close: 'M6 6l12 12M18 6 6 18',
  coins: 'M9 14a6 3 0 1 0 0-6 6 3 0 0 0 0 6Zm6-3v5a6 3 0 0 1-12 0v-5m6-6a6 3 0 0 1 12 0v5a6 3 0 0 1-6 3',
  copy: 'M9 9h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2ZM4 15H3.5A1.5 1.5 0 0 1 2 13.500V4a2 2 0 0 1 2-2h9.500A1.500 1.500 0 0 1 15 3.500V4',
  download: 'M12 4v11m-5-5 5 5 5-5M5 20h14',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12Zm9.500 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  eyeOff:
    'M4 4l16 16M9.900 5.800A9 9 0 0 1 12 5.500c6 0 9.500 6.500 9.500 6.500a17 17 0 0 1-2.700 3.500M6.300 7.300A16 16 0 0 0 2.500 12S6 18.500 12 18.500a9 9 0 0 0 4.500-1.200M10 10a3 3 0 0 0 4.200 4.200',
  key: 'M14.500 9.500a5 5 0 1 0-4.300 4.900L12 16h2v2h2v2h4v-4l-6-5.200c.3-.4.5-.8.5-1.300ZM8 8h.01',
  loader: 'M12 3a9 9 0 1 0 9 9',
  logout: 'M9 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h3m6-4 4-4-4-4m4 4H9',
  monitor: 'M4 5h16v11H4zM9 20h6m-3-4v4',
  moon: 'M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500Z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  network: 'M12 3v6m0 0-6 4m6-4 6 4M12 3h.01M6 13v3a2 2 0 1 0 .01 0M18 13v3a2 2 0 1 0 .01 0',
  pause: 'M9 5v14M15 5v14',
  play: 'M7 4.500v15l12-7.500-12-7.500Z',
  plug: 'M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0V8Zm6 9v4',
  plus: 'M12 5v14M5 12h14',
  record: 'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm9-3a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  refresh: 'M20 11a8 8 0 0 0-14.300-4L4 9m0-5v5h5m-5 4a8 8 0 0 0 14.300 4L20 15m0 5v-5h-5',
  send: 'M21 3 10.5 13.5M21 3l-6.500 18-4-7.500L3 9.500 21 3Z',
  search: 'm20 20-4.500-4.500M17 10.500a6.500 6.500 0 1 1-13 0 6.500 6.500 0 0 1 13 0Z',
  sleep: 'M5 5h6l-6 7h6m3 1h5l-5 6h5',
  stop: 'M7 7h10v10H7z',
  sun: 'M12 4V2m0 20v-2m8-8h2M2 12h2m13.700-5.700 1.400-1.400M4.900 19.100l1.400-1.400m0-11.400L4.900 4.900m14.200 14.200-1.400-1.400M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z',
  trash: 'M4 7h16M10 11v6m4-6v6M6 7l1 12a2 2 0 0 0 2 2h6a2 2 0 0 0 2-2l1-12M9 7V4h6v3',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 8.500a8 8 0 0 1 16 0',
  wallet:
    'M4 7a2 2 0 0 1 2-2h11v3m2 0H6a2 2 0 0 1-2-1v10a2 2 0 0 0 2 2h13a1 1 0 0 0 1-1V9a1 1 0 0 0-1-1Zm-3 5h.01',
} as const;

export type IconName = keyof typeof paths;

/** A picture beside a text that says the same: screen readers skip it. */
export function Icon({ name, isSpinning = false }: { name: IconName; isSpinning?: boolean }) {
  const className = isSpinning ? `${styles.svg} ${styles.spin}` : styles.svg;
  return (
    <svg
      className={className}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 3 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
