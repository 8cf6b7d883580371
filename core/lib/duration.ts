const units: [name: string, ms: number][] = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** A duration as people write it, to the second: "24 h", "1 h 30 min", "60 s". From two minutes on, with minutes. */
export function formatDuration(durationMs: number): string {
  let leftMs = Math.round(durationMs / 1_000) * 1_000;
  if (leftMs < 120_000) return `${leftMs / 1_000} s`;
  const parts: string[] = [];
  for (const [name, ms] of units) {
    const count = Math.floor(leftMs / ms);
    leftMs -= count * ms;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(' ');
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000 };

/** A duration as Go and Kubernetes write it, from hours to seconds: "90s", "30m", "1h30m". In milliseconds. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/([0-9]+)([hms]?)/g)];
  return parts.reduce((sumMs, [, count, unit = '']) => sumMs + Number(count) * (unitMs[unit] ?? 0), 0);
}
