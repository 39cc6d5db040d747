import * as assert from 'uvu/assert';
import { AppError } from '../http/errors.ts';

/** Expects an AppError with this status. @returns the error. */
export async function rejects(call: Promise<unknown>, status: number): Promise<AppError> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    assert.is(error.status, status, error.message);
    return error;
  }
  throw new assert.Assertion({
    message: `Expected a refusal with ${status}.`,
    generated: true,
    operator: 'refused',
    expects: status,
    actual: 'no refusal',
    details: '',
  });
}
