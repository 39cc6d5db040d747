import { mod36 } from '#server/text/check-digits.ts';

/** Numbers that look random and are the same for the same seed. */
class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 12345) >>> 0;
    for (let index = 0; index < 5; index += 1) this.next();
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  int = (from: number, to: number): number => from + Math.floor(this.next() * (to - from + 1));
  pick = <T>(all: readonly T[]): T => all[Math.floor(this.next() * all.length)]!;
  chance = (share: number): boolean => this.next() < share;
  letters = (count: number): string =>
    Array.from({ length: count }, () => this.pick([...'ABCDEFGHJKLMNPQRSTUVWXYZ'])).join('');
  digits = (count: number): string => Array.from({ length: count }, () => this.int(0, 9)).join('');
}

const FIRST =
  'Ravi Anita Suresh Meena Vikram Priya Arjun Kavita Rahul Sunita Farhan Deepa Manoj Lakshmi Harpreet Joseph'.split(
    ' ',
  );
const LAST =
  'Sharma Patel Iyer Reddy Gupta Khan Singh Nair Das Mehta Joshi Kulkarni Fernandes Bose Chopra Rao'.split(
    ' ',
  );
const TRADES = [
  'Traders',
  'Textiles Pvt Ltd',
  'Engineering Works',
  'Exports Private Limited',
  'Foods LLP',
  'Infotech Ltd',
  'Agencies',
  'Steel Industries',
];
export const STATES: [string, string][] = [
  ['27', 'Maharashtra'],
  ['29', 'Karnataka'],
  ['07', 'Delhi'],
  ['24', 'Gujarat'],
  ['33', 'Tamil Nadu'],
  ['09', 'Uttar Pradesh'],
];

/** People, firms and numbers; those with a check digit have the right one. */
export class Facts extends Random {
  person = (): string =>
    `${this.pick(FIRST)} ${this.chance(0.4) ? `${this.pick(FIRST)} ` : ''}${this.pick(LAST)}`;
  firm = (): string => `${this.pick(LAST)} ${this.chance(0.3) ? '& Sons ' : ''}${this.pick(TRADES)}`;
  pan = (holder = this.pick([...'PCHF'])): string =>
    `${this.letters(3)}${holder}${this.letters(1)}${this.digits(4)}${this.letters(1)}`;
  tan = (): string =>
    `${this.pick(['DEL', 'MUM', 'BLR', 'CHE', 'PNE', 'AHM', 'HYD'])}${this.letters(1)}${this.digits(5)}${this.letters(1)}`;
  gstin = (state = this.pick(STATES)[0], pan = this.pan()): string => {
    const body = `${state}${pan}1Z`;
    return body + mod36(body);
  };
  arn = (): string => {
    const body = `A${this.letters(1)}${this.pick(STATES)[0]}${String(this.int(1, 12)).padStart(2, '0')}26${this.digits(6)}`;
    return body + mod36(body);
  };
  cin = (): string =>
    `U${this.digits(5)}${this.pick(['MH', 'KA', 'DL', 'GJ'])}${this.int(1990, 2022)}PTC${this.digits(6)}`;
  ifsc = (): string => `${this.pick(['SBIN', 'HDFC', 'ICIC', 'UTIB', 'KKBK'])}0${this.digits(6)}`;
  udin = (): string => `26${this.digits(6)}${this.letters(6)}${this.digits(4)}`;
  hex = (count: number): string =>
    Array.from({ length: count }, () => this.pick([...'0123456789abcdef'])).join('');
  /** Paise. */
  money = (most = 900_000): number =>
    this.chance(0.5) ? this.int(100, most) * 100 : this.int(10_000, most * 100);
  /** Year, month, day. */
  day = (year = this.int(2024, 2026)): string =>
    `${year}-${String(this.int(1, 12)).padStart(2, '0')}-${String(this.int(1, 28)).padStart(2, '0')}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const LONG = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Ways to write a day, an amount. */
export const DAYS: ((day: string) => string)[] = [
  (day) => day.split('-').toReversed().join('/'),
  (day) => day.split('-').toReversed().join('-'),
  (day) => `${day.slice(8)}-${MONTHS[Number(day.slice(5, 7)) - 1]}-${day.slice(0, 4)}`,
  (day) => day.split('-').toReversed().join('.'),
  (day) => `${Number(day.slice(8))} ${LONG[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`,
  (day) => `${LONG[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}, ${day.slice(0, 4)}`,
];
const grouped = (paise: number): string =>
  (Math.abs(paise) / 100).toLocaleString('en-IN', { minimumFractionDigits: 2 });
export const AMOUNTS: ((paise: number) => string)[] = [
  (paise) => (paise < 0 ? `-${grouped(paise)}` : grouped(paise)),
  (paise) => `₹ ${grouped(paise)}`,
  (paise) => `Rs. ${grouped(paise)}`,
  (paise) => (paise < 0 ? `(${grouped(paise)})` : grouped(paise)),
  (paise) => (Math.abs(paise) / 100).toFixed(2),
  (paise) => `₹${grouped(paise)}`,
];
export { LONG as MONTH_NAMES };
