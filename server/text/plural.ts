import type { Language } from './language.ts';
import { localeOf } from './language.ts';

/** The plural form of a text for `n`; `#` is replaced by the number in Indian format. */
export function plural(language: Language, n: number, forms: { one?: string; other: string }): string {
  const locale = localeOf(language);
  const form = forms[new Intl.PluralRules(locale).select(n) as 'one' | 'other'] ?? forms.other;
  return form.replaceAll('#', new Intl.NumberFormat(locale).format(n));
}
