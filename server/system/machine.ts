import type { UpdateView } from '#server/updates/contract.ts';
import type { CertificateView, KeyView } from './contract.ts';
import type { HeardTime } from './heard-time.ts';

/** What the process knows of where it runs. */
export interface Machine {
  version: string;
  startedAt: Date;
  /** Bytes of the disk that holds the data folder. */
  disk(): Promise<{ free: number; size: number }>;
  /** Why the bucket that keeps the bytes of files cannot be used; null when it can, or there is none. */
  storage?(): Promise<string | null>;
  /** What another machine said the time was; null before one has. */
  heardTime?(): HeardTime | null;
  /** Null where plain http is served. */
  certificate(): CertificateView | null;
  /** Where the master key lies; left out where there is no data folder. */
  key?(): Promise<KeyView>;
  /** Null where no update has been. */
  lastUpdate(): Promise<UpdateView | null>;
}
