/**
 * How a process that parses untrusted files is confined, the strongest first: a container (bubblewrap) with a seccomp
 * filter; no network, plus Node's permission model; that model alone.
 */
export const CONFINEMENTS = ['container', 'network', 'permissions'] as const;
export type Confinement = (typeof CONFINEMENTS)[number];

/** Shown to the admin of the machine: what is in force, and how to improve it. */
export const CONFINED: Record<Confinement, { well: boolean; text: string }> = {
  container: {
    well: true,
    text: 'files are read by processes without network, data folder and key, which the kernel enforces',
  },
  network: {
    well: false,
    text: 'processes that read files have no network, but only Node keeps them from other files. Install bubblewrap (sudo apt-get install bubblewrap) and restart.',
  },
  permissions: {
    well: false,
    text: 'only Node keeps processes that read files from other files and programs, and nothing from the network. Install bubblewrap (sudo apt-get install bubblewrap), allow user namespaces (in Docker: two lines in compose.yaml), and restart.',
  },
};
