import { useMemo, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import type { SheetView } from '#server/previews/contract.ts';
import * as t from '#messages/preview.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import type { Range } from './cells.ts';
import { copied, letterOf, textOf } from './cells.ts';
import { foundCells } from './foundCells.ts';
import { useSought } from './useSought.ts';
import { SheetGrid } from './SheetGrid.tsx';

/** A message about rows and columns that are not shown; null if all or none are. */
function truncationNote({ rows, total_rows, total_columns }: SheetView): string | null {
  if (rows.length === 0) return null;
  const columns = Math.max(0, ...rows.map((row) => row.length));
  return t.cutOff(
    total_rows > rows.length ? [rows.length, total_rows] : null,
    total_columns > columns ? [columns, total_columns] : null,
  );
}

/** The sheets of a spreadsheet, one at a time. Formula results are the stored ones; nothing is computed. */
export default function TableViewer({ sheets, name }: { sheets: SheetView[]; name: string }) {
  const sought = useSought();
  const found = useMemo(() => sought && foundCells(sheets, sought), [sheets, sought]);
  const [sheetIndex, setSheetIndex] = useState(found?.sheet ?? 0);
  const [range, setRange] = useState<Range | null>(found && { from: found.place, to: found.place });
  const sheet = sheets[sheetIndex] ?? sheets[0];
  const cut = useMemo(() => sheet && truncationNote(sheet), [sheet]);

  useDocumentEvent('copy', (event) => {
    if (!range || !sheet || (event.target instanceof Element && event.target.closest('input, textarea')))
      return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', copied(sheet.rows, range));
  });
  if (!sheet) return null;
  const picked =
    range && range.from.row === range.to.row && range.from.column === range.to.column && range.from;
  const shown = (
    <>
      {cut && (
        <p role="status" className="sheet-note">
          {cut}
        </p>
      )}
      {sheet.rows.length === 0 ? (
        <p className="flex flex-1 items-center justify-center text-muted">
          {sheet.total_rows > 0 ? t.sheetLeftOut : sheets.length > 1 ? t.emptySheet : t.emptyFile}
        </p>
      ) : (
        <SheetGrid
          key={sheetIndex}
          sheet={sheet}
          label={sheet.name || name}
          range={range}
          onRange={setRange}
          found={found?.sheet === sheetIndex ? found : null}
        />
      )}
    </>
  );
  const readout = (
    <p aria-live="polite" className="sheet-cell">
      {picked ? (
        <>
          <span className="tabular mr-2 text-muted">
            {letterOf(picked.column)}
            {picked.row + 1}
          </span>
          {textOf(sheet.rows[picked.row]?.[picked.column])}
        </>
      ) : (
        sheets.length === 1 && <span className="text-muted">{t.selectCell}</span>
      )}
    </p>
  );
  if (sheets.length === 1) {
    return (
      <div className="sheet-room">
        {shown}
        <div className="sheet-foot">{readout}</div>
      </div>
    );
  }
  return (
    <Tabs
      className="sheet-room"
      selectedKey={String(sheetIndex)}
      onSelectionChange={(key) => {
        setSheetIndex(Number(key));
        setRange(null);
      }}
    >
      {/* First in the DOM, since the panel is labelled by it; CSS places it below. */}
      <div className="sheet-foot order-1">
        <TabList aria-label={t.sheets} className="sheet-tabs">
          {sheets.map((option, index) => (
            <Tab key={index} id={String(index)} className="sheet-tab">
              {option.name}
            </Tab>
          ))}
        </TabList>
        {readout}
      </div>
      <TabPanel id={String(sheetIndex)} className="flex min-h-0 flex-1 flex-col outline-none">
        {shown}
      </TabPanel>
    </Tabs>
  );
}
