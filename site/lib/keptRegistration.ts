import type { Values } from './registration.ts';
import { EMPTY, STEPS } from './registration.ts';

const KEY = 'registration';
const PASSWORD_STEP = STEPS.findIndex(({ fields }) => fields.includes('password'));

/** Keeps what was typed, without the password, for a reload or a return to the page in this tab. */
export function keepRegistration(values: Values, step: number): void {
  const { password, password_confirmation, terms_accepted, ...kept } = values;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...kept, step }));
  } catch {
    // Storage is full or forbidden: the form works without it.
  }
}

/**
 * What was kept, with the step, which is at most that of the password; null without anything typed. `again`: a later step
 * was reached, so that the password was typed before.
 */
export function keptRegistration(): { values: Values; step: number; again: boolean } | null {
  try {
    const { step, ...kept } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Values> & {
      step?: number;
    };
    if (step === undefined) return null;
    const values = { ...EMPTY, ...kept };
    return { values, step: Math.min(step, PASSWORD_STEP), again: step > PASSWORD_STEP };
  } catch {
    return null;
  }
}

export const forgetRegistration = (): void => sessionStorage.removeItem(KEY);
