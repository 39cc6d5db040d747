/** The texts for the plural categories that a language has; `other` is there in every one. */
export interface Forms {
  zero?: Form;
  one?: Form;
  two?: Form;
  few?: Form;
  many?: Form;
  other: Form;
}

/** `#` stands for the number. Where a name of the user's stands in the text, which may hold a `#`, a function of it. */
type Form = string | ((count: string) => string);

/** What a language does with numbers in its texts. */
export interface Grammar {
  /** The form that the language has for this many: `plural(3, { one: '1 file', other: '# files' })`. */
  plural: (count: number, forms: Forms) => string;
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
