/** A text in the plural forms of a language (the CLDR categories); every language has `other`. */
interface PluralForms {
  zero?: PluralForm;
  one?: PluralForm;
  two?: PluralForm;
  few?: PluralForm;
  many?: PluralForm;
  other: PluralForm;
}

/** `#` stands for the number. A text with user input, which may contain a `#`, is a function of the formatted number instead. */
type PluralForm = string | ((count: string) => string);

/** How a language forms plurals and writes numbers and lists. */
interface Grammar {
  /** The text in the plural form for this number: `plural(3, { one: '1 file', other: '# files' })`. */
  plural: (count: number, forms: PluralForms) => string;
  /** `1,23,456`. */
  count: (count: number) => string;
  /** `PAN, GSTIN and phone`. */
  list: (words: readonly string[]) => string;
}

/** `locale` is a BCP 47 tag, such as `en-IN`. */
export function grammarOf(locale: string): Grammar {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const lists = new Intl.ListFormat(locale);
  const count = (value: number) => numbers.format(value);
  return {
    plural: (value, forms) => {
      const form = forms[rules.select(value)] ?? forms.other;
      return typeof form === 'string' ? form.replaceAll('#', count(value)) : form(count(value));
    },
    count,
    list: (words) => lists.format(words),
  };
}
