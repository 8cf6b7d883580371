/** English. */
export const texts = {
  title: 'Connections',
  graph: (nodes: number, connected: number, all: number) =>
    `${nodes} networks, ${connected} of ${all} connections work. The table below says the same.`,
  columns: {
    network: 'Network',
    state: 'State',
    facts: 'Ends at',
    connected: 'Connected with',
    open: 'Not yet',
  },
  nobody: 'None',
  legend: 'A full line is a connection that works, a dashed line one that is not there yet.',
  copy: (name: string) => `Copy ${name}`,
};
