import type { Context } from 'koa';
import * as v from 'valibot';
import { invalid } from '#server/http/errors.ts';
import { smallFileReader } from '#server/http/small-file.ts';
import type { ClientField } from './contract.ts';
import { IMPORT_MAX_BYTES, importMapping } from './contract.ts';
import type { Choices } from './import.ts';

const readFile = smallFileReader({
  maxBytes: IMPORT_MAX_BYTES,
  maxFields: 5,
  texts: {
    notMultipart: 'Send the file as multipart/form-data.',
    tooLarge: 'This file is over 5 MB. Split the list and import the parts one by one.',
    notOneFile: 'Send one file in the field "file"',
    incomplete: 'The file did not arrive whole. Try again.',
    missing: 'Please select a file',
  },
});

const SKIP = 'Choose the rows again';
/** The lines of the rows that are not imported. */
const importSkip = v.array(v.number(SKIP), SKIP);

/** The JSON in a field of the form; null when omitted. */
function parseField<T>(name: string, schema: v.GenericSchema<unknown, T>, text: unknown): T | null {
  if (text === undefined || text === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    value = null;
  }
  const parsed = v.safeParse(schema, value);
  if (!parsed.success) throw invalid({ [name]: [parsed.issues[0].message] });
  return parsed.output;
}

/**
 * The file, the column mapping and the options of a multipart request; the mapping is null when omitted.
 * @throws {AppError} 400, 413, 415, 422 on `file`, `mapping`, `skip`.
 */
export async function receiveTable(
  ctx: Context,
): Promise<{ bytes: Buffer; mapping: (ClientField | null)[] | null; choices: Choices }> {
  const { bytes, fields } = await readFile(ctx);
  const { mapping, skip, sheet, leave_out, as_of } = fields;
  const choices = {
    leave_out: leave_out === '1',
    skip: parseField('skip', importSkip, skip) ?? [],
    ...(typeof sheet === 'string' && sheet !== '' && { sheet }),
    ...(typeof as_of === 'string' && as_of !== '' && { as_of }),
  };
  return { bytes, mapping: parseField('mapping', importMapping, mapping), choices };
}
