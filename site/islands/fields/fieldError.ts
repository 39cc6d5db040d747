import * as t from '#messages/fields.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';

/** Why a value was not kept: what the server says of it, else of the whole. */
export const fieldError = (error: unknown, id: string): string =>
  (error instanceof ApiError ? error.errors?.[id]?.[0] : undefined) ?? messageOf(error, t.notSaved);
