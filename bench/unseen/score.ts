import type { Recognised, RecognisedPage } from '#server/recognition/contract.ts';
import { cellContinuations, continuationPairs } from '#server/reading/words/cell-continuations.ts';
import { wordsOf } from '#server/reading/words/words.ts';
import { FIELD_KINDS, UNSURE } from '#server/recognition/contract.ts';
import type { Figure } from '../measure.ts';
import type { Paper } from './paper.ts';

class Counted {
  right = 0;
  missed = 0;
  wrong = 0;

  get f1(): number {
    return this.right === 0 ? 0 : (2 * this.right) / (2 * this.right + this.missed + this.wrong);
  }
}

const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
/** The words of a text as the search knows them, with blanks around. */
const asSearched = (text: string): string => ` ${Array.from(wordsOf(text), ({ term }) => term).join(' ')} `;

const kindOf = (key: string): string => FIELD_KINDS[key as keyof typeof FIELD_KINDS];
const alike = (key: string, first: string, second: string): boolean =>
  kindOf(key) === 'text' ? bare(first) === bare(second) : first === second;

/** What was right of many papers. */
export class Score {
  papers = 0;
  types = 0;
  years = { right: 0, of: 0 };
  phrases = { right: 0, of: 0 };
  statements = { read: 0, of: 0, falselyAccepted: 0, rowsRight: 0, rows: 0 };
  /** Identifiers said to pass a check digit that do not stand in the paper. */
  falselyValid = 0;
  /** Values that nobody is asked to look at, and that are wrong. */
  surelyWrong = 0;
  readonly identifiers = new Counted();
  readonly fields = new Counted();
  readonly byType = new Map<string, Counted>();

  /** @returns what was wrong, to be shown. */
  add(
    paper: Paper,
    found: Recognised,
    pages: readonly RecognisedPage[],
    phrases: readonly string[],
  ): string[] {
    const faults: string[] = [];
    this.papers += 1;
    if (found.type === paper.type) this.types += 1;
    else faults.push(`type ${found.type} (${found.type_sure})`);
    if (paper.type !== null && paper.type !== 'bank_statement') {
      this.years.of += paper.year === null ? 0 : 1;
      if (paper.year !== null && found.year === paper.year) this.years.right += 1;
      else if (paper.year !== null) faults.push(`year ${found.year} for ${paper.year}`);
    }
    const pageText = pages
      .flatMap(({ text, boxes, sure }) => [
        text,
        ...continuationPairs(sure && boxes ? cellContinuations(text, boxes) : []).map(
          ([from, to, then, end]) => `${text.slice(from, to)} ${text.slice(then, end)}`,
        ),
      ])
      .map(asSearched)
      .join('');
    for (const phrase of phrases) {
      this.phrases.of += 1;
      if (pageText.includes(asSearched(phrase))) this.phrases.right += 1;
      else faults.push(`phrase ${phrase}`);
    }
    if (paper.type !== null) this.#values(paper, found, faults);
    if (paper.rows) this.#rows(paper, found, faults);
    const printed = bare(paper.html.replaceAll(/<[^>]*>/g, ''));
    for (const { key, value, check } of found.fields)
      if (check === 'checksum' && key !== 'aadhaar' && !printed.includes(bare(value))) {
        this.falselyValid += 1;
        faults.push(`FALSELY VALID ${key}=${value}`);
      }
    return faults;
  }

  #values(paper: Paper, found: Recognised, faults: string[]): void {
    const of = this.byType.get(paper.type!) ?? new Counted();
    this.byType.set(paper.type!, of);
    const counts = (key: string): Counted[] => [
      this.fields,
      of,
      ...(kindOf(key) === 'identifier' ? [this.identifiers] : []),
    ];
    for (const [key, value] of paper.fields) {
      if (
        found.fields.some(
          (field) => field.key === key && field.check !== 'failed' && alike(key, field.value, value),
        )
      )
        for (const counter of counts(key)) counter.right += 1;
      else {
        // A value that stands in the rows or may be left, and that nobody claims, is no fault.
        if (paper.allowed.has(key as never) && !found.fields.some((field) => field.key === key)) continue;
        for (const counter of counts(key)) counter.missed += 1;
        faults.push(`missed ${key}=${value}`);
      }
    }
    const seen = new Set<string>();
    for (const { key, value, check, sure } of found.fields) {
      const truth = paper.fields.get(key);
      if (check === 'failed' || (truth !== undefined && alike(key, value, truth))) continue;
      if (truth === undefined && paper.allowed.has(key as never)) continue;
      if (seen.has(key + value)) continue;
      seen.add(key + value);
      for (const counter of counts(key)) counter.wrong += 1;
      if (sure >= UNSURE) this.surelyWrong += 1;
      faults.push(`wrong ${key}=${value}${sure >= UNSURE ? ' SURE' : ''}`);
    }
  }

  #rows(paper: Paper, found: Recognised, faults: string[]): void {
    const table = found.tables.find(({ key }) => key === 'transactions');
    const columnIndex = (key: string): number =>
      table?.columns.findIndex((column) => column.key === key) ?? -1;
    const [debit, credit, balance, date] = ['debit', 'credit', 'balance', 'date'].map(columnIndex) as [
      number,
      number,
      number,
      number,
    ];
    const foundRows = (table?.rows ?? []).map(
      ({ cells }) =>
        `${cells[date]} ${Number(cells[debit] ?? 0)} ${Number(cells[credit] ?? 0)} ${cells[balance]}`,
    );
    const actual = paper.rows!.map((row) => `${row.date} ${row.debit} ${row.credit} ${row.balance}`);
    const set = new Set(foundRows);
    const same = actual.filter((row) => set.has(row)).length;
    const isComplete = same === actual.length && foundRows.length === actual.length;
    const accepted =
      table !== undefined && foundRows.length > 0 && table.breaks !== null && table.breaks.length === 0;
    if (accepted && (!isComplete || paper.altered)) {
      this.statements.falselyAccepted += 1;
      faults.push(
        `FALSELY ACCEPTED ${foundRows.length} of ${actual.length} rows${paper.altered ? ', altered' : ''}`,
      );
    }
    if (paper.altered) return;
    this.statements.of += 1;
    this.statements.rows += actual.length;
    this.statements.rowsRight += same;
    if (accepted && isComplete) this.statements.read += 1;
    else
      faults.push(
        `statement: ${same} of ${actual.length} rows right, ${foundRows.length} found, breaks ${JSON.stringify(table?.breaks)}`,
      );
  }

  figures(of: string): Figure[] {
    const share = (right: number, all: number): string =>
      `${((100 * right) / Math.max(1, all)).toFixed(1)} % of ${all}`;
    const photo = of.includes('photo');
    const digital = of.includes('digital');
    const f1 = (counted: Counted, wanted: number): Partial<Figure> & { value: string } => ({
      value: `${counted.f1.toFixed(3)} (${counted.right} right, ${counted.missed} missed, ${counted.wrong} wrong)`,
      ...(wanted > 0 ? { target: { text: `≥ ${wanted}`, reached: counted.f1 >= wanted } } : {}),
    });
    const { statements } = this;
    return [
      {
        name: `${of}: type`,
        value: share(this.types, this.papers),
        ...(digital ? { target: { text: '≥ 98 %', reached: this.types >= this.papers * 0.98 } } : {}),
      },
      { name: `${of}: year`, value: share(this.years.right, this.years.of) },
      { name: `${of}: identifiers F1`, ...f1(this.identifiers, digital ? 0.99 : photo ? 0.85 : 0.95) },
      { name: `${of}: fields F1`, ...f1(this.fields, digital ? 0.97 : photo ? 0 : 0.92) },
      {
        name: `${of}: phrases`,
        value: share(this.phrases.right, this.phrases.of),
        ...(photo
          ? {}
          : {
              target: {
                text: digital ? '≥ 99 %' : '≥ 97 %',
                reached: this.phrases.right >= this.phrases.of * (digital ? 0.99 : 0.97),
              },
            }),
      },
      {
        name: `${of}: statements read whole`,
        value: share(statements.read, statements.of),
        ...(digital ? { target: { text: '≥ 95 %', reached: statements.read >= statements.of * 0.95 } } : {}),
      },
      { name: `${of}: rows of statements`, value: share(statements.rowsRight, statements.rows) },
      {
        name: `${of}: accepted that must not be`,
        value: String(statements.falselyAccepted),
        target: { text: '0', reached: statements.falselyAccepted === 0 },
      },
      {
        name: `${of}: called valid and not printed`,
        value: String(this.falselyValid),
        target: { text: '0', reached: this.falselyValid === 0 },
      },
      {
        name: `${of}: values wrong though sure`,
        value: `${this.surelyWrong} of ${this.fields.right + this.fields.wrong}`,
      },
    ];
  }
}
