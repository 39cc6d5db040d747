import type { Middleware } from 'koa';
import type { RequestState } from './context.ts';
import { AppError } from './errors.ts';

const OWES_TWO_STEP =
  'Your firm asks everyone to use two-step sign-in. Set it up under Settings, then go on with your work.';
const NO_SEAT =
  'Your firm’s plan allows fewer people than work here, so you can read but not change anything. Ask an admin of your firm to choose a larger plan or who stays.';

/** Replaces a 403 by its real reason where that is not the role: services only see that the permission is missing. */
export const explainForbidden: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const { actor } = ctx.state as RequestState;
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error;
    if (actor?.owesTwoStep) throw new AppError(403, 'two_step_needed', OWES_TWO_STEP);
    if (actor?.seated === false) throw new AppError(403, 'no_seat', NO_SEAT);
    throw error;
  }
};
