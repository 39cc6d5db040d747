/** Of letters and signs that a reader takes for a digit, that digit. */
export const TO_DIGIT: Record<string, string> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  '|': '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
};

/** Of a digit, the letters that it may be taken for, the likeliest first. */
export const TO_LETTERS: Record<string, string> = { 0: 'OQD', 1: 'IL', 2: 'Z', 5: 'S', 6: 'G', 8: 'B' };
