import type { Reading } from '../rules.ts';

/** Reads the firm and the signing partner: `For Shah & Co.`, `Chartered Accountants`, then a name over `Partner`. */
export function readSignatory(reading: Reading, wants: ('firm_name' | 'signed_by')[]): void {
  const { lines } = reading.layout;
  for (const [index, line] of lines.entries()) {
    if (!/chartered accountants?/i.test(line.text)) continue;
    const cell = line.cells.find(({ text }) => /chartered accountants?/i.test(text))!;
    for (let above = index; above >= Math.max(0, index - 2); above -= 1) {
      const nameCell =
        above === index
          ? cell
          : lines[above]!.cells.find(({ left, right }) => right > cell.left - 200 && left < cell.right + 200);
      const text = nameCell?.text
        .replace(/,?\s*\(?chartered accountants?.*$/i, '')
        .replace(/^(?:for|for and on behalf of|m\/s\.?)\s+(?:m\/s\.?\s*)?/i, '')
        .trim();
      if (
        !nameCell ||
        !text ||
        text.length < 4 ||
        text.length > 70 ||
        !/(?:&|\band\b|associates|co\b|llp)/i.test(text)
      )
        continue;
      if (wants.includes('firm_name') && !reading.value('firm_name'))
        reading.add(
          'firm_name',
          text,
          nameCell.words.slice(-text.split(' ').length),
          lines[above]!.page,
          'signature.firm',
          0.92,
        );
      break;
    }
  }
  if (!wants.includes('signed_by')) return;
  for (const [index, line] of lines.entries()) {
    const role = line.cells.find(({ text }) =>
      /^\(?(?:partner|proprietor|managing partner)\)?\b/i.test(text),
    );
    const above =
      role &&
      lines[index - 1]?.cells.find(({ left, right }) => right > role.left - 150 && left < role.right + 150);
    const inline = /^(?:ca\.?\s+)?([A-Z][A-Za-z. ]{4,50}?),?\s*\(?(?:partner|proprietor)\b/.exec(line.text);
    const text = inline?.[1] ?? above?.text.replace(/^\(?(?:ca\.?\s+)?|\)$/gi, '').trim();
    if (!text || !/^[A-Za-z][A-Za-z. ]+$/.test(text) || /account|firm|place|date/i.test(text)) continue;
    return reading.add('signed_by', text, (inline ? line : above!).words, line.page, 'signature.name', 0.91);
  }
}
