import { form16 } from './income-tax/form-16.ts';
import type { TypeRules } from './rules.ts';

/** The rules of all types. */
export const ALL: readonly TypeRules[] = [form16];
