import type { Recognised, RecognisedField } from '#server/recognition/contract.ts';
import type { World } from '#server/testing/world.ts';

export const field = (key: string, value: string, more: Partial<RecognisedField> = {}): RecognisedField => ({
  key,
  kind: 'text',
  value,
  raw: value,
  page: 1,
  box: [500, 1000, 800, 120],
  sure: 0.99,
  rule: 'test',
  ...more,
});

/** A Form 16 of which two values are unsure. */
export const FORM_16: Recognised = {
  type: 'form_16',
  type_sure: 0.99,
  year: 2025,
  period: 'FY 2025-26',
  fields: [
    field('employee_pan', 'AAAPZ0000A', { kind: 'identifier' }),
    field('employer_name', 'Zwxqvk Textiles'),
    field('gross_salary', '120000000', { kind: 'amount', raw: '12,00,000.00', sure: 0.6 }),
    field('tax_deducted', '9000000', { kind: 'amount', raw: '90,000.00', sure: 0.5 }),
  ],
  tables: [],
};

/** A statement whose third row does not follow from the one before. */
export const STATEMENT: Recognised = {
  type: 'bank_statement',
  type_sure: 0.8,
  year: 2025,
  period: '2025-04',
  fields: [field('account_no', '000000000001', { kind: 'identifier' })],
  tables: [
    {
      key: 'transactions',
      columns: [
        { key: 'date', kind: 'date' },
        { key: 'narration', kind: 'text' },
        { key: 'debit', kind: 'amount' },
        { key: 'credit', kind: 'amount' },
        { key: 'balance', kind: 'amount' },
      ],
      rows: [
        { page: 1, box: null, cells: ['2025-04-01', 'Opening', null, null, '1000000'] },
        { page: 1, box: null, cells: ['2025-04-02', '=HYPERLINK("x")', null, '250050', '1250050'] },
        { page: 1, box: null, cells: ['2025-04-03', 'NEFT', '50', null, '1249900'] },
      ],
      breaks: [2],
    },
  ],
};

/** Stores what was recognised in the present content of a file, as if it had been read. */
export async function recognise(
  { db, services }: Pick<World, 'db' | 'services'>,
  itemId: number,
  recognised: Recognised | null,
): Promise<void> {
  const content = await db('document_texts as t')
    .join('items as i', (on) => on.on('i.firm_id', 't.firm_id').on('i.sha256', 't.sha256'))
    .where('i.id', itemId)
    .first('t.id', 't.firm_id', 't.sha256');
  await db.transaction(await services.fields.recognised.prepare(content, recognised));
  await services.fields.recognised.notify(content);
}
