import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseSettings } from './service-settings.ts';
import { settingsFile } from './service-unit.ts';

// What systemd 252 gave to a service for these lines.
const LINES: Record<string, string> = {
  'A=plain': 'plain',
  'A=30 # days': '30 # days',
  'A="30" # days': '30# days',
  'A=/srv/a b  ': '/srv/a b',
  "A='it is $5 \\n'": 'it is $5 \\n',
  'A="a \\"b\\" \\$c \\\\ \\n"': 'a "b" $c \\ \\n',
  'A=a\\ b\\"c"': 'a b"c"',
  'A=one\\\ntwo': 'onetwo',
  'A="two\nlines"': 'two\nlines',
  '  A = x': 'x',
  'A=1\nA=2': '2',
  'A=x\r\n': 'x',
};

test('the file of settings is read as systemd reads it, so that a command uses the data folder of the service', () => {
  for (const [line, value] of Object.entries(LINES))
    assert.equal(parseSettings(`# A comment\nB=1\n${line}\n; C=2\nD=3`), { B: '1', A: value, D: '3' }, line);
  assert.equal(parseSettings('export A=1\n#B=2\nC\n=3'), {});
});

test('what install writes into the file is read again unchanged', () => {
  const settings = { DATA_DIR: '/srv/a $b `c` \\d "e"', APP_NAME: "Rao's # 1", BASE_URL: 'https://a.in' };
  assert.equal(parseSettings(settingsFile(settings)), settings);
});

test.run();
