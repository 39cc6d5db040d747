/** Numbers that a seed decides, so that a paper can be made again. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761 + 1_013_904_223) >>> 0;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.next() * of.length)]!;
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.int(0, 9)).join('');
  }

  letters(count: number): string {
    return Array.from({ length: count }, () => String.fromCharCode(65 + this.int(0, 25))).join('');
  }

  /** Paise of a sum between two of rupees, with paise in it. */
  paise(from: number, to: number): number {
    return this.int(from, to) * 100 + this.int(0, 99);
  }

  /** Paise of whole rupees. */
  rupees(from: number, to: number): number {
    return this.int(from, to) * 100;
  }

  chance(of: number): boolean {
    return this.next() < of;
  }
}
