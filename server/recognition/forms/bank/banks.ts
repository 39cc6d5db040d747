import type { Reading } from '../rules.ts';

/** Bank names by the first four letters of an IFSC. */
const BY_IFSC: Record<string, string> = {
  SBIN: 'State Bank of India',
  HDFC: 'HDFC Bank',
  ICIC: 'ICICI Bank',
  UTIB: 'Axis Bank',
  KKBK: 'Kotak Mahindra Bank',
  PUNB: 'Punjab National Bank',
  BARB: 'Bank of Baroda',
  CNRB: 'Canara Bank',
  UBIN: 'Union Bank of India',
  BKID: 'Bank of India',
  IDIB: 'Indian Bank',
  IOBA: 'Indian Overseas Bank',
  CBIN: 'Central Bank of India',
  YESB: 'YES Bank',
  IDFB: 'IDFC FIRST Bank',
  INDB: 'IndusInd Bank',
  FDRL: 'Federal Bank',
  BDBL: 'Bandhan Bank',
  RATN: 'RBL Bank',
  SIBL: 'South Indian Bank',
  KVBL: 'Karur Vysya Bank',
  MAHB: 'Bank of Maharashtra',
  UCBA: 'UCO Bank',
  AUBL: 'AU Small Finance Bank',
};

const NAME =
  /\b((?:[A-Z][\w&.']*\s+){0,4}(?:Small Finance |Co-?operative |Gramin )?Bank(?:\s+of(?:\s+[A-Z][\w]*){1,2})?(?:\s+(?:Ltd|Limited)\.?)?)/i;
const TOP = 15;

/** Finds the bank of a statement or a cheque, by the head of the page, else by the IFSC. */
export function bankName(reading: Reading): void {
  if (reading.value('bank_name')) return;
  for (const line of reading.layout.lines.slice(0, TOP))
    for (const cell of line.cells) {
      const match = /bank/i.test(cell.text) && !/:|statement/i.test(cell.text) ? NAME.exec(cell.text) : null;
      if (match && cell.text.length < 60) {
        reading.add('bank_name', match[1]!.trim(), cell.words, line.page, 'bank.head', 0.92);
        return;
      }
    }
  const ifsc = reading.fields.find(({ key }) => key === 'ifsc');
  const name = ifsc && BY_IFSC[ifsc.value.slice(0, 4)];
  if (!ifsc || !name) return;
  const { check: _, ...source } = ifsc;
  reading.fields.push({
    ...source,
    key: 'bank_name',
    kind: 'text',
    value: name,
    rule: 'bank.ifsc',
    sure: 0.92,
  });
}
