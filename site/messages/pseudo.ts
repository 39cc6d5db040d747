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

/** How much longer a disguised text is, as translations are often longer. */
const EXPANSION = 0.4;
/** Filler of several words, so that lines can still break. */
const FILLER = ' óné twó thréé fóúr fívé síx sévén éíght níné';

/** `Sign in` becomes `[Sígn ín ó]`. Tags, which components/Rich.tsx draws, stay as they are. */
function disguise(text: string): string {
  if (text.trim() === '') return text;
  const plain = text.replaceAll(/<\/?\w+>/g, '');
  const accented = text.replaceAll(/<\/?\w+>|[aeiouy]/gi, (match) => ACCENTS[match] ?? match);
  const fillerLength = Math.max(0, Math.round(plain.length * EXPANSION) - 2);
  const filler = FILLER.repeat(Math.ceil(fillerLength / FILLER.length)).slice(0, fillerLength);
  return `[${accented}${filler}]`;
}

/**
 * English texts in disguise, to find the ones that are not among the messages and the places that have no room for a
 * longer language: vowels carry accents, each text stands in brackets and is 1.4 times as long. Takes a text, a
 * function that makes one, or an object or array of such; anything else comes back as it is.
 */
export function pseudo<Message>(message: Message): Message {
  return disguiseAll(message) as Message;
}

function disguiseAll(message: unknown): unknown {
  if (typeof message === 'string') return disguise(message);
  if (typeof message === 'function') return (...args: unknown[]) => disguiseAll(message(...args));
  if (Array.isArray(message)) return message.map(disguiseAll);
  if (typeof message !== 'object' || message === null) return message;
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, disguiseAll(value)]));
}
