import type { Cut, Refusal } from './contract.ts';

/** Characters of text that are stored of one file. */
const CHARACTERS_MAX = 4_000_000;
/** Processor time for reading; the rest of the sandbox's limit is for processing the text. */
const READ_TIME_MS = 40_000;

/** The processor time of this process; wall-clock time says little at the lowest priority. */
function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A file cannot be read; the message is for the log. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal, why: string) {
    super(why);
    this.refusal = refusal;
  }
}

/** Limits how much of a file is read. */
export class Budget {
  /** The first limit that was reached; null while none was. */
  cut: Cut | null = null;
  /** Read less: the first attempt exceeded the limits. */
  readonly isRetry: boolean;
  readonly #deadline = cpuTimeMs() + READ_TIME_MS;
  #charactersLeft = CHARACTERS_MAX;

  constructor(isRetry: boolean) {
    this.isRetry = isRetry;
  }

  /** As much of the text as may still be stored. */
  take(text: string): string {
    const accepted =
      text.length <= this.#charactersLeft ? text : text.slice(0, Math.max(0, this.#charactersLeft));
    this.#charactersLeft -= accepted.length;
    if (accepted.length < text.length) this.cut ??= 'size';
    return accepted;
  }

  /** Whether reading should end here. */
  get spent(): boolean {
    if (this.#charactersLeft <= 0) this.cut ??= 'size';
    else if (cpuTimeMs() > this.#deadline) this.cut ??= 'time';
    return this.cut !== null;
  }
}
