import type { Cut, Refusal } from './contract.ts';

/** Characters of text that are kept of one file. */
const CHARACTERS_MAX = 4_000_000;
/** Of the time of the processor that the process is given, the rest is for what is done with the text. In ms. */
const TIME_MAX = 40_000;

/** What this process has had of the processor: it may wait long for it, behind everything else. In ms. */
function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Why a file has no text for us; the message is for the log. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal, why: string) {
    super(why);
    this.refusal = refusal;
  }
}

/** How much of a file may still be read. */
export class Budget {
  /** What has run out first; null while nothing has. */
  cut: Cut | null = null;
  /** Less of it, since all of it was too much. */
  readonly again: boolean;
  readonly #until = spentMs() + TIME_MAX;
  #room = CHARACTERS_MAX;

  constructor(again: boolean) {
    this.again = again;
  }

  /** As much of the text as may still be kept. */
  take(text: string): string {
    const taken = text.length <= this.#room ? text : text.slice(0, Math.max(0, this.#room));
    this.#room -= taken.length;
    if (taken.length < text.length) this.cut ??= 'size';
    return taken;
  }

  /** Whether reading should end here. */
  get spent(): boolean {
    if (this.#room <= 0) this.cut ??= 'size';
    else if (spentMs() > this.#until) this.cut ??= 'time';
    return this.cut !== null;
  }
}
