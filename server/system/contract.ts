import type { Confinement } from '#server/sandbox/contract.ts';
import type { Undelivered } from '#server/mail/contract.ts';
import type { UpdateView } from '#server/updates/contract.ts';

/** A problem of the installation, for its admins; `cause` stays the same for as long as the problem lasts. */
export interface Alarm {
  /** Such as `disk`; an e-mail is sent once a day per cause. */
  cause: string;
  title: string;
  /** What happened, and what to do. */
  about: string;
}

export interface CertificateView {
  /**
   * `acme` is issued by a public authority and renewed by the server, `local` by the office's own authority,
   * `files` are the admin's.
   */
  kind: 'acme' | 'local' | 'files';
  names: string[];
  /** ISO 8601, UTC. */
  valid_until: string;
  /** SHA-256 of the office's own authority, for users to compare; null without one. */
  fingerprint: string | null;
  /** Why the last renewal or read failed, or why browsers refuse the certificate; null when all is well. */
  problem: string | null;
}

/** The share of free disk space below which it is low: an alarm, and red on the screen. */
export const LOW_DISK_SHARE = 0.1;

export interface DiskView {
  /** Bytes. */
  free: number;
  size: number;
  /** Forecast from the last month, in bytes; null with less than three days of samples. */
  free_in_90_days: number | null;
  /** Forecast day on which the disk is full, `2027-02-01`; null when unknown or more than 90 days away. */
  full_on: string | null;
}

export interface SystemJob {
  id: number;
  kind: string;
  /** The firm's name; null for a job of the server. */
  firm: string | null;
  message: string;
  attempts: number;
  /** 0 to 100. */
  progress: number;
  /** ISO 8601, UTC: start of a running job, or end of a failed one; null for neither. */
  at: string | null;
}

export interface BackupSummary {
  /** ISO 8601, UTC; null when there is none yet. */
  last_at: string | null;
  /** Why the backups need attention: the last one is late, or the place is missing; null when all is well. */
  wrong: string | null;
  /** One line per recent backup, such as its size and what was verified. */
  lines: string[];
}

export interface KeyView {
  /** Whether the master key is where it should be. */
  well: boolean;
  /** Where the key is kept, in a sentence, and what to do about it if anything. */
  about: string;
}

export interface SystemView {
  app: { name: string; version: string; node: string; started_at: string; confinement: Confinement };
  /** Null when there was no update yet. */
  update: UpdateView | null;
  disk: DiskView | null;
  jobs: {
    running: SystemJob[];
    waiting: number;
    failed: SystemJob[];
    /** Recurring jobs, failing ones first. */
    recurring: (SystemJob & { failing: boolean; next_at: string })[];
  };
  mail: {
    /** How e-mails are sent, as logged at start. */
    means: string;
    /** Whether e-mails are really sent. */
    sends: boolean;
    undelivered: Undelivered[];
  };
  /** Null where this server serves plain http, directly or behind a proxy. */
  certificate: CertificateView | null;
  /** Null when automatic backups are off. */
  backups: BackupSummary | null;
  /** Null in a process without a data folder. */
  key: KeyView | null;
  alarms: Alarm[];
}
