/** English. */
export const texts = {
  title: 'Connections',
  graph: (nodes: number, connected: number, all: number) =>
    `${nodes} networks, ${connected} of ${all} connections work. The table below has the same information.`,
  columns: {
    network: 'Network',
    state: 'State',
    facts: 'Ends at',
    connected: 'Connected with',
    open: 'Not yet',
  },
  nobody: 'None',
  legend: 'Solid lines are working connections. Dashed lines are not connected yet.',
  copy: (name: string) => `Copy ${name}`,
};
