import { printLine, printDoneAndWait } from '../../testing/kill-at-line.ts';
import { readConfig } from '../../config/config.ts';
import { openVault } from '../../services/backups-vault.ts';
import { KEEP } from '../repository/retention-rule.ts';
import { makeBackup } from '../repository/make.ts';
import { openDiskPlace } from '../repository/disk-place.ts';
import type { Place } from '../repository/place.ts';

// Makes a backup and prints each of its steps, so that a test can kill it there.
const [dataDir = '', address = ''] = process.argv.slice(2);
const vault = await openVault(readConfig({ DATA_DIR: dataDir }));
const disk = await openDiskPlace(address);
const place: Place = {
  ...disk,
  async write(key, body) {
    printLine('write');
    await disk.write(key, body);
  },
  async settle() {
    printLine('settle');
    await disk.settle();
  },
  async delete(key) {
    printLine('delete');
    await disk.delete(key);
  },
};
await makeBackup({
  ...vault,
  place,
  vault: vault.id,
  last: new Date(),
  keep: KEEP,
  sheetSaved: true,
  source: { bytes: vault.bytes, check: vault.checkSealed },
  now: new Date(),
  signal: new AbortController().signal,
  step: printLine,
});
printDoneAndWait();
