import type { Confinement } from '#server/sandbox/contract.ts';
import type { Undelivered } from '#server/mail/contract.ts';
import type { UpdateView } from '#server/updates/contract.ts';

/** What is wrong with the installation, in words for its admins; `cause` never changes while it stays wrong. */
export interface Alarm {
  /** Such as `disk`; an e-mail goes out once a day for each. */
  cause: string;
  title: string;
  /** What happened, and what to do. */
  about: string;
}

export interface CertificateView {
  /** `acme` is got and renewed by the server, `local` made by it, `files` are the admin's. */
  kind: 'acme' | 'local' | 'files';
  names: string[];
  /** ISO 8601, UTC. */
  valid_until: string;
  /** SHA-256 of the office's own authority, by which people tell that it is the right one; null where there is none. */
  fingerprint: string | null;
  /** Why it could not be renewed or read the last time, or is refused by browsers; null when all is well. */
  problem: string | null;
}

export interface DiskView {
  /** Bytes. */
  free: number;
  size: number;
  /** Bytes that will be free in 90 days if things go on as in the last month; null until three days are known. */
  free_in_90_days: number | null;
  /** The day on which it would be full, `2027-02-01`; null when that is more than 90 days away or not known. */
  full_on: string | null;
}

export interface SystemJob {
  id: number;
  kind: string;
  /** For whom; null for the server's own. */
  firm: string | null;
  message: string;
  attempts: number;
  /** 0 to 100. */
  progress: number;
  /** ISO 8601, UTC: when it began, or ended if it has failed; null for neither. */
  at: string | null;
}

export interface BackupSummary {
  /** ISO 8601, UTC; null when there is none yet. */
  last_at: string | null;
  /** Whether the last one failed, or is late. */
  wrong: string | null;
  /** One line each for the newest, such as size and what was proven. */
  lines: string[];
}

export interface KeyView {
  /** Whether the master key is where it should be. */
  well: boolean;
  /** Where it is kept, in a sentence, with what to do where something should be done. */
  about: string;
}

export interface SystemView {
  app: { name: string; version: string; node: string; started_at: string; confinement: Confinement };
  /** Null where no update has been. */
  update: UpdateView | null;
  disk: DiskView | null;
  jobs: {
    running: SystemJob[];
    waiting: number;
    failed: SystemJob[];
    /** Recurring jobs, those that fail first. */
    recurring: (SystemJob & { failing: boolean; next_at: string })[];
  };
  mail: {
    /** Where e-mails go, as the log says at start. */
    means: string;
    undelivered: Undelivered[];
  };
  /** Null where this server answers plain http, alone or behind a proxy. */
  certificate: CertificateView | null;
  /** Null where none are set up. */
  backups: BackupSummary | null;
  /** Null in a process without a data folder. */
  key: KeyView | null;
  alarms: Alarm[];
}
