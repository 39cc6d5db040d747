import { ASSESSMENT_YEAR, FINANCIAL_YEAR } from '#server/text/written-years.ts';
import { bankName } from '../bank/banks.ts';
import type { TypeRules } from '../rules.ts';

const last = (labels: string) => ({ labels, nth: -1 });

/** The fields of every income tax receipt. */
const RECEIPT: NonNullable<TypeRules['fields']> = {
  name: 'name(?: of (?:the )?(?:assessee|taxpayer|deductor))?|full name|taxpayer name|deductor name|received from',
  year: `${ASSESSMENT_YEAR}|${FINANCIAL_YEAR}|tax year`,
  major_head: [
    { labels: 'major head(?: code)?|tax applicable', like: /\b(00[2-3]\d)\b/ },
    { labels: 'major head(?: code)?|tax applicable', like: /.{4,60}/ },
  ],
  minor_head: [
    { labels: 'minor head(?: code)?|type of payment', like: /\b([1-8]00)\b/ },
    { labels: 'minor head(?: code)?|type of payment', like: /.{4,60}/ },
  ],
  crn: 'crn|challan reference (?:number|no)',
  bsr: 'bsr(?: code)?(?: of (?:the )?bank)?|bank branch code',
  deposit_date:
    'tender date|date of (?:deposit|payment|receipt|tender)|deposit date|payment date|date of challan|challan date|dated?',
  challan_no: {
    labels:
      'challan (?:serial )?(?:no|number)|challan sl no|serial (?:no|number)(?: of challan)?|challan serial|sl no',
    like: /(?<!\d)\d{4,7}(?!\d)/,
  },
  bank_name: 'bank(?: name)?|name of (?:the )?bank|mode of payment bank',
  bank_reference: {
    labels:
      'bank reference (?:number|no)|bank ref(?:erence)? no|transaction (?:id|no)|utr(?: no)?|reference no',
    like: /(?=\S*\d)[A-Z0-9]{5,24}/i,
  },
  tax: last('(?:[a-g] )?(?:income ?-?tax|basic tax|tax|tds(?: amount)?)(?: amount)?'),
  surcharge: last('(?:[a-g] )?surcharge'),
  cess: last('(?:[a-g] )?(?:health (?:and|&) )?(?:education )?cess'),
  interest: last('(?:[a-g] )?interest(?: amount| u\\/s[^:]{0,20})?'),
  penalty: last('(?:[a-g] )?penalty(?: amount)?'),
  fee: last('(?:[a-g] )?(?:late )?fees?(?: (?:under|u\\/s)[^:]*)?'),
  others: last('(?:[a-g] )?others?(?: amount)?'),
  // A heading may say `Amount` too: the total is beside its own label.
  total: [
    {
      ...last('(?:grand )?total(?: challan)?(?: amount)?(?: paid| \\(a\\+b[^)]*\\))?[^:\\d]{0,30}'),
      where: 'beside',
    },
    last('amount \\(in (?:rs\\.?|₹)\\)|challan amount|amount paid|amount|total(?: amount)?'),
  ],
};
const PAID = [/\bBSR\b/, /challan/i, /\bCIN\b/, /major head/i, /minor head/i, /tender date|date of deposit/i];

/** Advance tax, self-assessment tax and the like. */
export const challanIncomeTax: TypeRules = {
  type: 'challan_income_tax',
  cues: {
    title:
      /challan\s+(?:no\.?\s*)?(?:\/?\s*itns)?\W*280|itns\s*(?:no\.?)?\W*280|challan\s+receipt|e-?pay\s+tax|income\s+tax\s+(?:payment\s+)?(?:challan|receipt)|tax\s+payment\s+(?:receipt|challan)|challan\b/i,
    words: [...PAID, /advance tax|self.?assessment|\(100\)|\(300\)|\(400\)/i, /income tax department/i],
    not: [/\btan\b|tds\/?\s?tcs|itns\W*281|tds on|tax deducted/i, /\bCPIN\b/, /\bTRRN\b|\bEPFO?\b|\bESIC?\b/],
  },
  fields: { pan: 'pan|permanent account number', ...RECEIPT },
  more: bankName,
};

/** Tax that was deducted or collected. */
export const challanTds: TypeRules = {
  type: 'challan_tds',
  cues: {
    title:
      /challan\s+(?:no\.?\s*)?(?:\/?\s*itns)?\W*281|itns\s*(?:no\.?)?\W*281|challan\s+receipt|tds\W*(?:tcs)?\s*(?:payment\s+|tax\s+)?challan|e-?pay\s+tax|tax\s+payment\s+(?:receipt|challan)|challan\b/i,
    words: [
      ...PAID,
      /\bTAN\b|tax deduction account/i,
      /nature of payment/i,
      /TDS/,
      /tds payable|\(200\)|\(400\)/i,
    ],
    not: [
      /form\s*no\.?\s*(?:16|13[01])/i,
      /certificate (?:under|u\/s) section/i,
      /\bCPIN\b/,
      /\bTRRN\b|\bEPFO?\b|\bESIC?\b/,
      /status of booking/i,
    ],
  },
  fields: {
    tan: 'tan|tax deduction (?:and collection )?account (?:number|no)',
    nature_of_payment: { labels: 'nature of payment|section(?: code)?|payment code', like: /.{3,60}/ },
    ...RECEIPT,
  },
  more: bankName,
};

/** Deposit of GST. */
export const challanGst: TypeRules = {
  type: 'challan_gst',
  cues: {
    title:
      /gst\s+(?:payment\s+)?challan|form\s+gst\s+pmt\s?-?\s?0?6|goods\s+and\s+services\s+tax\s+payment|gst\s+challan/i,
    words: [/\bCPIN\b/, /\bCIN\b/, /gstin/i, /details of deposit/i, /cgst\s*\(0005\)|0005/i, /challan/i],
  },
  fields: {
    gstin: 'gstin(?: \\/ ?other id)?|gst identification number',
    legal_name: 'name(?: of (?:the )?taxpayer)?|legal name|taxpayer name',
    cpin: 'cpin|common portal identification number',
    deposit_date: [
      'date of deposit|deposit date|payment date|date of payment|tender date',
      'challan date|challan generated on|date',
    ],
    bank_name: 'name of (?:the )?bank|bank(?: name)?',
    bank_reference: {
      labels:
        'bank reference (?:number|no)(?: \\(brn(?:\\/utr)?\\))?|brn(?:\\/utr)?|utr(?: no)?|bank ref(?:erence)? no',
      like: /(?=\S*\d)[A-Z0-9]{5,24}/i,
    },
    igst: last('igst ?(?:\\(0008\\))?|integrated tax|0008'),
    cgst: last('cgst ?(?:\\(0005\\))?|central tax|0005'),
    sgst: last(
      'sgst(?: ?\\/? ?utgst)? ?(?:\\(0006\\))?|state(?:\\/ut)? tax|0006|[a-z ]{3,25} sgst ?(?:\\(0006\\))?',
    ),
    gst_cess: last('cess ?(?:\\(0009\\))?|0009'),
    total: [
      {
        ...last('total (?:challan )?amount(?: \\(in rs\\.?\\))?|grand total|amount paid|total'),
        where: 'beside',
      },
      last('total (?:challan )?amount|amount paid|total'),
    ],
  },
};
