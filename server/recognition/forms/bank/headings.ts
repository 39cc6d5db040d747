import type { ColumnRule } from '../../layout/table.ts';

/** Column headings of transactions, in English and Hindi. */
export const HEADINGS: ColumnRule[] = [
  {
    key: 'date',
    heads:
      '(?:txn|tran|trans|trn|transaction|post|posting|posted|entry|book|booking)? date|date of (?:transaction|txn)|dt|दिनांक|तारीख|तिथि',
  },
  { key: 'value_date', heads: 'val(?:ue)? (?:date?|dt)|effective date' },
  {
    key: 'narration',
    heads:
      'narrations?|particulars?|description|(?:transaction|txn|tran) (?:details|description|remarks|particulars)|details|details of transactions?|remarks?|transaction|विवरण|ब्यौरा',
  },
  {
    key: 'reference',
    heads:
      'chq ?ref ?no|chq(?: no| details)?|cheque ?(?:no|number|details)?|ref(?:erence)? ?(?:no|number)?|chq/ref(?: number)?|instrument(?:s)?(?: id| no| number)?|inst no|cheque/ref(?:erence)?(?: no)?|utr(?: no| number)?|(?:tran|txn|transaction) (?:id|no|number)|voucher no|चेक संख्या',
  },
  {
    key: 'debit',
    isNumber: true,
    heads:
      'withdrawal(?:s)?(?: amt| amount)?(?: \\(dr\\))?|debit(?:s|ed)?(?: amount| amt)?|dr(?: amount| amt)?|(?:amount|amt) (?:debited|withdrawn|debit|dr)|withdrawn|paid out|money out|payments?|निकासी|नामे|आहरण',
  },
  {
    key: 'credit',
    isNumber: true,
    heads:
      'deposit(?:s|ed)?(?: amt| amount)?(?: \\(cr\\))?|credit(?:s|ed)?(?: amount| amt)?|cr(?: amount| amt)?|(?:amount|amt) (?:credited|deposited|credit|cr)|paid in|money in|receipts?|जमा',
  },
  { key: 'amount', isNumber: true, heads: '(?:transaction|txn|tran)? ?(?:amount|amt)|राशि' },
  {
    key: 'side',
    heads: 'dr cr|cr dr|type|debit credit|txn type|d c|c d|transaction type|cr/dr ind(?:icator)?',
  },
  {
    key: 'balance',
    isNumber: true,
    heads:
      '(?:closing|running|available|avail|ledger|account|a/c|book|current|net|cumulative|outstanding|line)? balance(?: amt| amount)?|(?:closing|clos|cl|running|run)? bal(?: amt| amount)?|शेष',
  },
  { key: 'serial', heads: 's ?no|sr ?no|sl ?no|#|serial(?: no| number)?|क्र ?सं' },
  { key: 'branch', heads: 'init br|branch(?: code| name)?|br|sol(?: id)?|time' },
];

/** A heading has at least one column of each group. */
export const NEEDED = [
  ['date', 'value_date'],
  ['balance'],
  ['debit', 'amount', 'credit'],
  ['narration', 'reference', 'debit'],
];

export const OPENING =
  /\b(?:opening\s+bal(?:ance)?|op\.?\s+bal(?:ance)?|(?:balance\s+)?(?:b\s?[/|]\s?f|brought\s+forward)|b[/il1]?f(?:wd)?)\b/i;
export const FORWARD =
  /\b(?:balance\s+(?:c\/?f|carried\s+forward)|carried\s+forward|c\s?\/\s?f|c\/?fwd|page\s+total|sub\s*-?\s*total)\b/i;
export const CLOSING = /\b(?:closing|cl\.?)\s+bal(?:ance)?\b/i;
export const TOTAL = /^\W*(?:grand\s+)?totals?\b|\btransaction\s+total|\btotal\s*:?$/i;
export const END =
  /statement\s+summary|end\s+of\s+(?:the\s+)?statement|\*{3,}.*end|legends?\s*:|^\s*(?:generated|printed)\s+(?:on|by)|computer\s+generated|registered\s+office|important\s+(?:note|message)|abbreviations/i;
