import type { KeepRule } from './repository/retention-rule.ts';

export interface S3Settings {
  /** `https://s3.ap-south-1.amazonaws.com`, without a trailing slash. */
  endpoint: string;
  region: string;
  keyId: string;
  secret: string;
}

/** The place and the time of the automatic backups. */
export interface BackupSettings {
  /** A path, or s3://bucket/prefix. */
  place: string;
  /** Minutes from midnight, in India. */
  at: number;
  keep: KeepRule;
  /** Null for a folder. */
  s3: S3Settings | null;
}
