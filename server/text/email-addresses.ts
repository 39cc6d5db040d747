const EMAIL = /^[^\s\p{Cc}@<>"]+@[^\s\p{Cc}@<>"]+\.[^\s\p{Cc}@<>".]+$/u;
const MAX_LENGTH = 254;
/** The name before an address, as mail programs copy it: `Ramesh Sharma <ramesh@example.in>`. */
const NAMED = /(?:"[^"]*"\s*|[^,;\n<>"@]*)<([^<>]*)>/g;

/** The e-mail addresses in a text, in small letters, each once: separated by blanks, commas, semicolons or line ends. */
export const addressesIn = (text: string): string[] => [
  ...new Set(
    text
      .replace(NAMED, ' $1 ')
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
];

/** The first of them that is no e-mail address; undefined if all are. */
export const notAnAddress = (addresses: readonly string[]): string | undefined =>
  addresses.find((address) => address.length > MAX_LENGTH || !EMAIL.test(address));

/** The message for `notAnAddress`. */
export const noAddress = (text = ''): string => `'${text.slice(0, 80)}' is no e-mail address`;
