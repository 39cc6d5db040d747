import { readFile } from 'node:fs/promises';
import { keyPath, parseSecret } from '#storage/keys.ts';
import { printDoneAndWait, printStep } from '../../testing/kill-at-line.ts';
import { passphraseForm } from '../keys/forms.ts';
import { moveKey } from '../keys/move.ts';
import { CHEAP } from './cheap-cost.ts';

// Seals the key of a data folder with a passphrase and says each step, so that it can be killed there.
const [dataDir = '', passphrase = ''] = process.argv.slice(2);
const secret = parseSecret(await readFile(keyPath(dataDir)), 'master.key');
await moveKey(dataDir, secret, passphraseForm(dataDir, passphrase, CHEAP), async () => {}, printStep);
printDoneAndWait();
