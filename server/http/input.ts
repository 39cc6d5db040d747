import * as v from 'valibot';
import type { FieldErrors } from './errors.ts';
import { badRequest, invalid, notFound } from './errors.ts';

/** For rules without a message of their own; the library's would be `Invalid type: Expected boolean but received "x"`. */
const UNUSABLE = 'This value cannot be used.';
v.setGlobalMessage(UNUSABLE);

type Issue = v.BaseIssue<unknown>;

/** For a missing field, the message that the field's own schema gives for `undefined`. */
function messageOf(schema: v.GenericSchema, field: string, issue: Issue): string {
  const entries = 'entries' in schema ? (schema.entries as Record<string, v.GenericSchema>) : {};
  const entry = issue.kind === 'schema' && issue.type.endsWith('object') ? entries[field] : undefined;
  return (entry && v.safeParse(entry, undefined).issues?.[0]?.message) ?? issue.message;
}

/**
 * Validates `body` by `schema`; unknown fields are dropped.
 * @throws {AppError} 400 when the body is not an object, 422 with the first message of every invalid field.
 */
export function parse<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('The request needs a JSON object as its body.');
  }
  const result = v.safeParse(schema, body);
  if (result.success) return result.output;
  const errors: FieldErrors = {};
  for (const issue of result.issues) {
    const field = String(issue.path?.[0]?.key ?? 'body');
    errors[field] ??= [messageOf(schema, field, issue)];
  }
  throw invalid(errors);
}

/**
 * A row id from a path. A text that cannot be an id is treated as an unknown id.
 * @throws {AppError} 404.
 */
export function readId(text: string | undefined, what: string): number {
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(text)) throw notFound(what);
  return Number(text);
}
