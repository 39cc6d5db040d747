import type { FieldKey } from '#server/recognition/contract.ts';
import { Dice } from './random.ts';

/** A transaction, as it is in truth: amounts in paise. */
export interface TrueRow {
  date: string;
  debit: number;
  credit: number;
  balance: number;
}

const MONTHS = 'January,February,March,April,May,June,July,August,September,October,November,December'.split(
  ',',
);

export type DayStyle =
  'd/m/y' | 'd/m/Y' | 'd-m-Y' | 'd.m.Y' | 'd-M-Y' | 'd-M-y' | 'd M Y' | 'D Month, Y' | 'Y-m-d' | 'MY,Y';

export function dayShown(iso: string, style: DayStyle): string {
  const [year, month, day] = iso.split('-') as [string, string, string];
  const name = MONTHS[Number(month) - 1]!;
  switch (style) {
    case 'd/m/y':
      return `${day}/${month}/${year.slice(2)}`;
    case 'd/m/Y':
      return `${day}/${month}/${year}`;
    case 'd-m-Y':
      return `${day}-${month}-${year}`;
    case 'd.m.Y':
      return `${day}.${month}.${year}`;
    case 'd-M-Y':
      return `${day}-${name.slice(0, 3)}-${year}`;
    case 'd-M-y':
      return `${day}-${name.slice(0, 3).toUpperCase()}-${year.slice(2)}`;
    case 'd M Y':
      return `${Number(day)} ${name.slice(0, 3)} ${year}`;
    case 'D Month, Y':
      return `${day} ${name}, ${year}`;
    case 'Y-m-d':
      return iso;
    case 'MY,Y':
      return `${name}${day}, ${year}`;
  }
}

export type MoneyStyle = 'plain' | 'indian' | 'western' | 'rs' | 'symbol' | 'inr' | 'dash' | 'whole';

export function moneyShown(paise: number, style: MoneyStyle): string {
  const rupees = Math.abs(paise) / 100;
  const sign = paise < 0 ? '-' : '';
  const grouped = rupees.toLocaleString('en-IN', { minimumFractionDigits: 2 });
  switch (style) {
    case 'plain':
      return sign + rupees.toFixed(2);
    case 'indian':
      return sign + grouped;
    case 'western':
      return sign + rupees.toLocaleString('en-US', { minimumFractionDigits: 2 });
    case 'rs':
      return `${sign}Rs. ${grouped}`;
    case 'symbol':
      return `${sign}₹${grouped}`;
    case 'inr':
      return `${sign}INR${grouped}`;
    case 'dash':
      return `${sign}${grouped.replace(/\.00$/, '')}/-`;
    case 'whole':
      return sign + grouped.replace(/\.00$/, '');
  }
}

export const monthName = (iso: string): string => MONTHS[Number(iso.slice(5, 7)) - 1]!;

/** What is printed and what is true: each value goes into the truth where it is put on the page. */
export class Paper {
  readonly dice: Dice;
  /** A type of the product, or null for what is none of them. */
  readonly type: string | null;
  readonly layout: string;
  readonly fields = new Map<string, string>();
  /** Printed too, and right if it is found, but not asked for. */
  readonly allowed = new Set<string>();
  year: number | null = null;
  period: string | null = null;
  rows: TrueRow[] | null = null;
  /** A statement in which a row was taken out or changed: it must not be accepted. */
  altered = false;
  html = '';
  /** In the PDF; 'A4' or a size in CSS. */
  size = 'A4';
  day: DayStyle;
  money: MoneyStyle;

  constructor(type: string | null, layout: string, seed: number) {
    this.type = type;
    this.layout = layout;
    this.dice = new Dice(seed);
    this.day = this.dice.pick(['d/m/Y', 'd-m-Y', 'd-M-Y', 'd.m.Y', 'd M Y'] as const);
    this.money = this.dice.pick(['indian', 'plain', 'indian', 'western'] as const);
  }

  text(key: FieldKey, value: string, shown = value): string {
    this.fields.set(key, value);
    return shown;
  }

  sum(key: FieldKey, paise: number, style: MoneyStyle = this.money): string {
    this.fields.set(key, String(paise));
    return moneyShown(paise, style);
  }

  date(key: FieldKey, iso: string, style: DayStyle = this.day): string {
    this.fields.set(key, iso);
    return dayShown(iso, style);
  }

  /** A financial year by its first year, shown as FY or as the assessment year that follows. */
  inYear(start: number, shown: 'fy' | 'ay' | 'long' = 'fy'): string {
    this.year = start;
    this.fields.set('year', `FY ${start}-${String(start + 1).slice(2)}`);
    if (shown === 'ay') return `${start + 1}-${String(start + 2).slice(2)}`;
    return shown === 'long' ? `${start}-${start + 1}` : `${start}-${String(start + 1).slice(2)}`;
  }

  /** Amounts that are not asked for. */
  m(paise: number, style: MoneyStyle = this.money): string {
    return moneyShown(paise, style);
  }

  d(iso: string, style: DayStyle = this.day): string {
    return dayShown(iso, style);
  }

  /** Keys that the paper shows in some form, which may be given or left. */
  allow(...keys: FieldKey[]): void {
    for (const key of keys) this.allowed.add(key);
  }
}
