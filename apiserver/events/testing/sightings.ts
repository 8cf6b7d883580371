/** Events in the order in which they came, for tests that wait for some of them. */
export interface Sightings<Event extends { type: string }> {
  events: Event[];
  add(event: Event): void;
  /** Resolves with the first event that fits, now or later. */
  saw(type: string, fits?: (event: Event) => boolean): Promise<Event>;
}

export function createSightings<Event extends { type: string }>(): Sightings<Event> {
  const events: Event[] = [];
  const waiting = new Set<() => void>();
  return {
    events,
    add(event) {
      events.push(event);
      for (const check of waiting) check();
    },
    saw: (type, fits = () => true) =>
      new Promise((resolve) => {
        const check = () => {
          const found = events.find((event) => event.type === type && fits(event));
          if (!found) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}
