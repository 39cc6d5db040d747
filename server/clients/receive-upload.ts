import type { Context } from 'koa';
import * as v from 'valibot';
import { invalid } from '#server/http/errors.ts';
import { smallFileReader } from '#server/http/small-file.ts';
import type { ClientField } from './contract.ts';
import { IMPORT_MAX_BYTES, importMapping } from './contract.ts';
import type { Choices } from './import.ts';

const readFile = smallFileReader({
  maxBytes: IMPORT_MAX_BYTES,
  maxFields: 4,
  texts: {
    notMultipart: 'Send the file as multipart/form-data.',
    tooLarge: 'This file is over 5 MB. Split the list and import the parts one by one.',
    notOneFile: 'Send one file in the field "file"',
    incomplete: 'The file did not arrive whole. Try again.',
    missing: 'Please select a file',
  },
});

/**
 * The file, the column mapping and the options of a multipart request; the mapping is null when omitted.
 * @throws {AppError} 400, 413, 415, 422 on `file`, `mapping`.
 */
export async function receiveTable(
  ctx: Context,
): Promise<{ bytes: Buffer; mapping: (ClientField | null)[] | null; choices: Choices }> {
  const { bytes, fields } = await readFile(ctx);
  const { mapping: text, sheet, leave_out, as_of } = fields;
  const choices = {
    leave_out: leave_out === '1',
    ...(typeof sheet === 'string' && sheet !== '' && { sheet }),
    ...(typeof as_of === 'string' && as_of !== '' && { as_of }),
  };
  if (text === undefined || text === '') return { bytes, mapping: null, choices };
  let mapping: unknown;
  try {
    mapping = JSON.parse(String(text));
  } catch {
    mapping = null;
  }
  const parsed = v.safeParse(importMapping, mapping);
  if (!parsed.success) throw invalid({ mapping: [parsed.issues[0].message] });
  return { bytes, mapping: parsed.output, choices };
}
