import { accountLayouts } from './accounts.ts';
import { BANKS } from './banks.ts';
import { gstLayouts } from './gst.ts';
import { identityLayouts } from './identity.ts';
import { letterLayouts } from './letters.ts';
import { noneLayouts } from './none.ts';
import type { Paper } from './paper.ts';
import { paymentLayouts } from './payments.ts';
import { returnLayouts } from './returns.ts';
import type { Altered } from './statement.ts';
import { statement, statementLayouts } from './statement.ts';
import { taxStatementLayouts } from './tax-statements.ts';
import { tdsLayouts } from './tds.ts';
import { tradeLayouts } from './trade.ts';

type Layout = (seed: number) => Paper;

export const LAYOUTS: readonly Layout[] = [
  ...statementLayouts,
  ...[
    tdsLayouts,
    taxStatementLayouts,
    returnLayouts,
    gstLayouts,
    tradeLayouts,
    paymentLayouts,
    identityLayouts,
    accountLayouts,
    letterLayouts,
  ]
    .flatMap((of) => Object.values(of) as Layout[][])
    .flat(),
  ...noneLayouts,
];

const KINDS: readonly Altered[] = ['row-missing', 'balance-wrong', 'page-missing'];

/** `each` papers of every layout, and as many statements of each bank that must not be accepted. */
export function unseenPapers(seed: number, each: number): Paper[] {
  const papers = LAYOUTS.flatMap((layout, index) =>
    Array.from({ length: each }, (_, nth) => layout(seed * 100_003 + index * 101 + nth)),
  );
  const altered = BANKS.flatMap((bank, index) =>
    Array.from({ length: each }, (_, nth) => {
      const printsTotals = bank.labels.closing ?? bank.totals;
      const kind = printsTotals && nth % 4 === 3 ? 'first-page-only' : KINDS[(index + nth) % KINDS.length]!;
      return statement(bank, seed * 100_003 + 50_000 + index * 101 + nth, kind);
    }),
  );
  return [...papers, ...altered];
}
