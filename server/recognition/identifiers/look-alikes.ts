/** Letters and signs that OCR confuses with a digit. */
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

/** Letters that OCR confuses with a digit, the likeliest first. */
export const TO_LETTERS: Record<string, string> = { 0: 'OQD', 1: 'IL', 2: 'Z', 5: 'S', 6: 'G', 8: 'B' };
