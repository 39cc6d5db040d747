import { openStores } from './folder.ts';

// Queues files, starts to send one, prints its key and waits to be killed.
const { files, watched, vault } = openStores(process.argv[2]!);
files.record(
  watched,
  Array.from({ length: 1000 }, (_, index) => ({
    path: `/scans/${index}.pdf`,
    sub_path: '',
    size: 10,
    changed_at: 1,
  })),
);
for (let some = files.settling(Infinity); some.length > 0; some = files.settling(Infinity))
  for (const { id } of some) files.markComplete(id);
const file = files.next(vault.id, [])!;
files.sending(file.id);
files.begin(file.id);
files.located(file.id, '/u/1');
files.sent(file.id, 4);
process.stdout.write(file.upload_key);
setTimeout(() => {}, 60_000);
