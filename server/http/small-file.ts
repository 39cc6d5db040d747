/// <reference path="./multer.d.ts" />
import multer from '@koa/multer';
import type { Context } from 'koa';
import { withBodyTimeout } from './body-timeout.ts';
import { AppError, badRequest, invalid, tooLarge } from './errors.ts';

interface SmallFileOptions {
  maxBytes: number;
  /** Text fields beside the file. */
  maxFields?: number;
  texts: {
    /** 415: the request is not a multipart form. */
    notMultipart: string;
    /** 413: the file has more than `maxBytes`. */
    tooLarge: string;
    /** 422 on `file`: another field has a file, or there are more parts than allowed. */
    notOneFile: string;
    /** 400: the request broke off. */
    incomplete: string;
    /** 422 on `file`: there is no file. */
    missing: string;
  };
}

interface SmallFile {
  bytes: Buffer;
  fields: Record<string, unknown>;
}

/**
 * Reads the file `file` of a multipart request into memory.
 * @returns a function that throws {AppError} 400, 413, 415 or 422.
 */
export function smallFileReader({ maxBytes, maxFields = 0, texts }: SmallFileOptions) {
  const limits = {
    fileSize: maxBytes,
    files: 1,
    fields: maxFields,
    fieldSize: 50_000,
    parts: maxFields + 1,
  };
  const parse = multer({ storage: multer.memoryStorage(), limits }).single('file');

  return async (ctx: Context): Promise<SmallFile> => {
    if (!ctx.is('multipart/form-data')) throw new AppError(415, 'unsupported_media_type', texts.notMultipart);
    try {
      await withBodyTimeout(ctx.req, Promise.resolve(parse(ctx as never, () => Promise.resolve())));
    } catch (error) {
      if (error instanceof AppError) throw error;
      const { code } = (error ?? {}) as { code?: string };
      if (code === 'LIMIT_FILE_SIZE') throw tooLarge(texts.tooLarge);
      if (code?.startsWith('LIMIT_')) throw invalid({ file: [texts.notOneFile] });
      throw badRequest(texts.incomplete);
    }
    const { file, request } = ctx as unknown as {
      file?: { buffer: Buffer };
      request: { body?: Record<string, unknown> };
    };
    if (!file) throw invalid({ file: [texts.missing] });
    return { bytes: file.buffer, fields: request.body ?? {} };
  };
}
