const ACCENTS: Record<string, string> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  y: 'ý',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
  Y: 'Ý',
};

/** Longer by this share, as a translation may well be. */
const LONGER = 0.4;
/** Words to grow by; a line may break between them as between others. */
const FILLING = ' óné twó thréé fóúr fívé síx sévén éíght níné';

/** `Sign in` becomes `[Sígn ín ó]`. Tags, which components/Rich.tsx draws, stay as they are. */
function disguise(text: string): string {
  if (text.trim() === '') return text;
  const plain = text.replaceAll(/<\/?\w+>/g, '');
  const marked = text.replaceAll(/<\/?\w+>|[aeiouy]/gi, (found) => ACCENTS[found] ?? found);
  const missing = Math.max(0, Math.round(plain.length * LONGER) - 2);
  const filling = FILLING.repeat(Math.ceil(missing / FILLING.length)).slice(0, missing);
  return `[${marked}${filling}]`;
}

/**
 * English texts in disguise, to find the ones that are not among the messages and the places that have no room for a
 * longer language: vowels carry accents, each text stands in brackets and is 1.4 times as long. Takes a text, a
 * function that makes one, or an object or array of such; anything else comes back as it is.
 */
export function pseudo<Message>(message: Message): Message {
  return dressed(message) as Message;
}

function dressed(message: unknown): unknown {
  if (typeof message === 'string') return disguise(message);
  if (typeof message === 'function') return (...args: unknown[]) => dressed(message(...args));
  if (Array.isArray(message)) return message.map(dressed);
  if (typeof message !== 'object' || message === null) return message;
  return Object.fromEntries(Object.entries(message).map(([name, one]) => [name, dressed(one)]));
}
