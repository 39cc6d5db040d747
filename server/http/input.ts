import * as v from 'valibot';
import type { FieldErrors } from './errors.ts';
import { badRequest, invalid, notFound } from './errors.ts';

/**
 * What `schema` makes of `body`; fields it does not name are dropped.
 * @throws {AppError} 400 when the body is not an object, 422 with all fields' messages.
 */
export function parse<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('The request needs a JSON object as its body.');
  }
  const result = v.safeParse(schema, body, { abortPipeEarly: true });
  if (result.success) return result.output;
  const errors: FieldErrors = {};
  for (const issue of result.issues) {
    const field = String(issue.path?.[0]?.key ?? 'body');
    (errors[field] ??= []).push(issue.message);
  }
  throw invalid(errors);
}

/**
 * An id from a path. What cannot be an id is treated as an id that never was.
 * @throws {AppError} 404.
 */
export function readId(text: string | undefined, what: string): number {
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(text)) throw notFound(what);
  return Number(text);
}
