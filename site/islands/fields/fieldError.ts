import * as t from '#messages/fields.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';

/** Why a value was not saved: the server's message for the field, else for the request. */
export const fieldError = (error: unknown, id: string): string =>
  (error instanceof ApiError ? error.errors?.[id]?.[0] : undefined) ?? messageOf(error, t.notSaved);

/** Whether a value was not saved because it is no longer as the user saw it. */
export const isChanged = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'value_changed';
