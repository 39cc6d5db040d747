/// <reference path="./multer.d.ts" />
import multer from '@koa/multer';
import type { Context } from 'koa';
import * as v from 'valibot';
import { AppError, badRequest, invalid, tooLarge } from '#server/http/errors.ts';
import { withBodyTimeout } from '#server/http/body-timeout.ts';
import type { ClientField } from './contract.ts';
import { IMPORT_MAX_BYTES, importMapping } from './contract.ts';
import type { Choices } from './import.ts';

const parseUpload = multer({
  storage: multer.memoryStorage(),
  limits: { fileSize: IMPORT_MAX_BYTES, files: 1, fields: 4, fieldSize: 20_000, parts: 6 },
}).single('file');

interface ParsedUpload {
  file?: { buffer: Buffer };
  request: { body?: Record<'mapping' | 'sheet' | 'leave_out' | 'as_of', unknown> };
}

function uploadError(error: unknown): AppError {
  const { code } = (error ?? {}) as { code?: string };
  if (code === 'LIMIT_FILE_SIZE')
    return tooLarge('This file is over 5 MB. Split the list and import the parts one by one.');
  if (code?.startsWith('LIMIT_')) return invalid({ file: ['Send one file in the field "file"'] });
  return badRequest('The file did not arrive whole. Try again.');
}

/**
 * The file, the column mapping and the options of a multipart request; the mapping is null when omitted.
 * @throws {AppError} 400, 413, 415, 422 on `file`, `mapping`.
 */
export async function receiveTable(
  ctx: Context,
): Promise<{ bytes: Buffer; mapping: (ClientField | null)[] | null; choices: Choices }> {
  if (!ctx.is('multipart/form-data'))
    throw new AppError(415, 'unsupported_media_type', 'Send the file as multipart/form-data.');
  try {
    await withBodyTimeout(ctx.req, Promise.resolve(parseUpload(ctx as never, () => Promise.resolve())));
  } catch (error) {
    throw error instanceof AppError ? error : uploadError(error);
  }
  const { file, request } = ctx as unknown as ParsedUpload;
  if (!file) throw invalid({ file: ['Please select a file'] });
  const { mapping: text, sheet, leave_out, as_of } = request.body ?? {};
  const choices = {
    leave_out: leave_out === '1',
    ...(typeof sheet === 'string' && sheet !== '' && { sheet }),
    ...(typeof as_of === 'string' && as_of !== '' && { as_of }),
  };
  if (text === undefined || text === '') return { bytes: file.buffer, mapping: null, choices };
  let mapping: unknown;
  try {
    mapping = JSON.parse(String(text));
  } catch {
    mapping = null;
  }
  const parsed = v.safeParse(importMapping, mapping);
  if (!parsed.success) throw invalid({ mapping: [parsed.issues[0].message] });
  return { bytes: file.buffer, mapping: parsed.output, choices };
}
