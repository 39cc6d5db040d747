/** A template that every firm has. Its id is for ever: links and calls name it. */
export interface BuiltIn {
  id: string;
  name: string;
  outline: string;
}

const tree = (text: string) => text.trim();

export const BUILT_IN: readonly BuiltIn[] = [
  {
    id: 'income-tax',
    name: 'Income tax',
    outline: tree(`
{fy}
  ITR
  Form 16 and 26AS
  Computation
  Bank statements
`),
  },
  {
    id: 'gst',
    name: 'GST',
    outline: tree(`
{fy}
  GST
    GSTR-1
    GSTR-3B
    GSTR-2B
    Annual return
`),
  },
  {
    id: 'tds',
    name: 'TDS',
    outline: tree(`
{fy}
  TDS
    Q1
    Q2
    Q3
    Q4
    Form 16 and 16A
`),
  },
  {
    id: 'audit',
    name: 'Audit',
    outline: tree(`
{fy}
  Audit
    Planning and engagement
    Trial balance and ledgers
    Bank and confirmations
    Fixed assets and stock
    Working papers
    Financial statements
    Audit report
`),
  },
  {
    id: 'roc',
    name: 'ROC (companies)',
    outline: tree(`
Incorporation documents
{fy}
  ROC
    AOC-4
    MGT-7
    ADT-1
    DIR-3 KYC
    Minutes and resolutions
    Financial statements
`),
  },
];
