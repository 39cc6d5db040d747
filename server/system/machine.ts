import type { UpdateView } from '#server/updates/contract.ts';
import type { CertificateView, KeyView } from './contract.ts';
import type { RemoteTime } from './remote-time.ts';

/** Facts about the machine that the process runs on. */
export interface Machine {
  version: string;
  startedAt: Date;
  /** Bytes, of the disk that holds the data folder. */
  disk(): Promise<{ free: number; size: number }>;
  /** Why the bucket of the files cannot be used; null when it can, or there is none. */
  storage?(): Promise<string | null>;
  /** The time that another machine last reported; null before the first report. */
  remoteTime?(): RemoteTime | null;
  /** Null where plain http is served. */
  certificate(): CertificateView | null;
  /** State of the master key; left out without a data folder. */
  key?(): Promise<KeyView>;
  /** Null when there was no update yet. */
  lastUpdate(): Promise<UpdateView | null>;
}
