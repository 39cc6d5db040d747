import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { settingsOf } from './start-options.mjs';

test('npm start takes the passphrase from an open file, as the message about a sealed key says', () => {
  assert.equal(settingsOf([]), {});
  assert.equal(settingsOf(['--passphrase-fd', '0']), { PASSPHRASE_FD: '0' });
});

test('any other option of npm start is refused, because it would be ignored', () => {
  for (const wrong of [['--port', '80'], ['now'], ['--passphrase-fd']])
    assert.throws(() => settingsOf(wrong), /takes --passphrase-fd N alone/);
});

test.run();
