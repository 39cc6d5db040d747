const SMALL = (
  'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen ' +
  'Seventeen Eighteen Nineteen'
).split(' ');
const TENS = '- Ten Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety'.split(' ');
const STEPS: readonly [number, string][] = [
  [10_000_000, 'Crore'],
  [100_000, 'Lakh'],
  [1000, 'Thousand'],
  [100, 'Hundred'],
];

function words(count: number): string {
  for (const [size, name] of STEPS) {
    if (count < size) continue;
    const rest = count % size;
    return `${words(Math.floor(count / size))} ${name}${rest > 0 ? ` ${words(rest)}` : ''}`;
  }
  if (count < 20) return SMALL[count]!;
  return TENS[Math.floor(count / 10)]! + (count % 10 > 0 ? `-${SMALL[count % 10]}` : '');
}

/** `Rupees One Lakh Two Hundred and Fifty Paise Only`, as an Indian invoice says it. */
export function inWords(paise: number): string {
  const rest = paise % 100;
  return `Rupees ${words(Math.floor(paise / 100))}${rest > 0 ? ` and ${words(rest)} Paise` : ''} Only`;
}
