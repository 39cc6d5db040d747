import { FIELD_KINDS } from '#server/recognition/contract.ts';
import type { Recognised } from '#server/recognition/contract.ts';
import type { Figure } from '../measure.ts';
import type { Paper } from './paper.ts';

interface Count {
  papers: number;
  typed: number;
  right: number;
  wrong: number;
  missed: number;
  chained: number;
  statements: number;
}
const none = (): Count => ({ papers: 0, typed: 0, right: 0, wrong: 0, missed: 0, chained: 0, statements: 0 });

const plain = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9-]/g, '');
const f1 = ({ right, wrong, missed }: Pick<Count, 'right' | 'wrong' | 'missed'>): number =>
  right === 0 ? 0 : (2 * right) / (2 * right + wrong + missed);
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** What was recognised, held against what papers say. */
export class Score {
  readonly #types = new Map<string, Count>();
  readonly #identifiers = none();
  #accepted = 0;

  /** @returns what is wrong, for who tunes rules. */
  add(paper: Paper, found: Recognised): string[] {
    const count = this.#types.get(paper.type) ?? none();
    this.#types.set(paper.type, count);
    const faults: string[] = [];
    count.papers += 1;
    if (found.type === paper.type) count.typed += 1;
    else faults.push(`is taken for ${found.type}`);
    const truth = new Map<string, string>([
      ...paper.fields.map(([key, , , value]): [string, string] => [key, value]),
      ...(paper.more?.truth ?? []),
    ]);
    for (const [key, value] of truth) {
      const recognised = found.fields.find((field) => field.key === key && field.check !== 'failed');
      if (recognised && plain(recognised.value) === plain(value)) count.right += 1;
      else {
        count.missed += 1;
        if (recognised) count.wrong += 1;
        faults.push(
          `${key} is ${recognised ? `${recognised.value} by ${recognised.rule}` : 'missed'}, not ${value}`,
        );
      }
    }
    // What the paper does not say.
    for (const field of found.fields)
      if (!truth.has(field.key) && field.kind === 'amount' && field.sure >= 0.9) {
        count.wrong += 1;
        faults.push(`${field.key} is made up: ${field.value} by ${field.rule}`);
      }
    faults.push(...this.#identify(paper, found, truth));
    this.#chain(paper, found, count, faults);
    return faults;
  }

  #identify(paper: Paper, found: Recognised, truth: ReadonlyMap<string, string>): string[] {
    const shown = new Set(paper.identifiers ?? []);
    for (const field of found.fields)
      if (field.kind === 'identifier' && truth.get(field.key) !== undefined) shown.add(truth.get(field.key)!);
    for (const [key, , , value] of paper.fields) if (FIELD_KINDS[key] === 'identifier') shown.add(value);
    const valid = new Set(
      found.fields.flatMap((field) =>
        field.kind === 'identifier' && field.check !== 'failed' && field.sure >= 0.9 ? [field.value] : [],
      ),
    );
    const faults: string[] = [];
    for (const value of shown)
      if (valid.has(value) || [...valid].some((validValue) => plain(validValue) === plain(value)))
        this.#identifiers.right += 1;
      else {
        this.#identifiers.missed += 1;
        faults.push(`${value} is not found`);
      }
    for (const value of valid)
      if (![...shown].some((shownValue) => plain(shownValue) === plain(value))) {
        this.#identifiers.wrong += 1;
        faults.push(`${value} is not its own`);
      }
    return faults;
  }

  #chain(paper: Paper, found: Recognised, count: Count, faults: string[]): void {
    if (paper.rows === undefined) return;
    count.statements += 1;
    const table = found.tables.find(({ key }) => key === 'transactions');
    const accepted = table?.breaks?.length === 0;
    if (accepted && table.rows.length === paper.rows) count.chained += 1;
    else
      faults.push(
        `${table?.rows.length ?? 0} of ${paper.rows} rows, breaks at ${table?.breaks?.slice(0, 5).join(', ')}`,
      );
    if (accepted && table.rows.length !== paper.rows) this.#accepted += 1;
  }

  figures(set: string): Figure[] {
    const all = none();
    for (const count of this.#types.values())
      for (const key of Object.keys(all) as (keyof Count)[]) all[key] += count[key];
    const line = (name: string, value: string): Figure => ({ name: `${set}: ${name}`, value });
    return [
      line('type', percent(all.typed / all.papers)),
      line('identifiers F1', percent(f1(this.#identifiers))),
      line('fields F1', percent(f1(all))),
      line('statements that chain', percent(all.chained / Math.max(1, all.statements))),
      line('statements accepted with rows missing', String(this.#accepted)),
      ...Array.from(this.#types, ([type, count]) =>
        line(`${type}: type, fields F1`, `${percent(count.typed / count.papers)}, ${percent(f1(count))}`),
      ),
    ];
  }
}
