import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

// One convention for transactions. A first parameter `trx: Knex.Transaction` is required: the function runs
// within the caller's transaction, and the compiler rejects a plain connection. `db: Knex` marks a function
// that only reads, inside a transaction or not, or that opens a transaction of its own.

const root = join(import.meta.dirname, '../..');
const WRITE =
  /^(?:insert|update|delete|del|patch|increment|decrement|truncate|deleteById|\w+AndFetch(?:ById)?)$/;
const STATEMENT = /^\s*[`'"]\s*(?:INSERT|UPDATE|DELETE|WITH[\s\S]*\b(?:INSERT INTO|DELETE FROM)\b)/;

/** A parameter with a type of knex, or undefined. */
function connectionOf(one: ts.ParameterDeclaration): 'Knex' | 'Knex.Transaction' | 'neither' | undefined {
  const type = one.type?.getText();
  if (type === 'Knex' || type === 'Knex.Transaction') return type;
  return type && /\bKnex(?:\.Transaction)?(?:\s*\||$)/.test(type) && !type.includes('=>')
    ? 'neither'
    : undefined;
}

/** Whether an expression begins with a call of `name`, or with a model's query through it. */
function goesThrough(node: ts.Expression, name: string): boolean {
  if (ts.isCallExpression(node)) {
    if (ts.isIdentifier(node.expression) && node.expression.text === name) return true;
    const method = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : '';
    if (/^\$?query$/.test(method) && node.arguments[0]?.getText() === name) return true;
    return goesThrough(node.expression, name);
  }
  return ts.isPropertyAccessExpression(node) && goesThrough(node.expression, name);
}

/** Whether the body writes rows through `name`, by a query builder or a raw statement. */
function writesThrough(body: ts.Node, name: string): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [first, second] = node.arguments;
      const callee = node.expression;
      if (ts.isPropertyAccessExpression(callee) && WRITE.test(callee.name.text))
        found ||= goesThrough(callee.expression, name);
      if (ts.isIdentifier(callee) && first?.getText() === name)
        found ||=
          callee.text === 'execute' ||
          (callee.text.startsWith('query') && STATEMENT.test(second?.getText() ?? ''));
    }
    ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

function complaints(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      for (const [index, one] of node.parameters.entries()) {
        const type = connectionOf(one);
        if (!type) continue;
        const { line } = source.getLineAndCharacterOfPosition(one.getStart());
        const say = (why: string) => found.push(`${file}:${line + 1}: ${one.getText()}: ${why}`);
        const name = one.name.getText();
        if (one.questionToken || one.initializer || type === 'neither')
          say('is not left out; make two functions of it');
        if (type === 'Knex.Transaction' && name !== 'trx') say('a transaction is called trx');
        if (type === 'Knex' && name === 'trx')
          say('trx is a Knex.Transaction; what only reads takes db: Knex');
        const before = node.parameters
          .slice(0, index)
          .filter(({ name: other }) => !/^(?:dependencies|this|\{)/.test(other.getText()));
        if (before.length > 0) say('comes first');
        const body = 'body' in node ? node.body : undefined;
        const makes = node.name?.getText().startsWith('create');
        if (type === 'Knex' && body && !makes && writesThrough(body, name))
          say('what writes takes trx: Knex.Transaction');
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isTransaction = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) &&
  ts.isPropertyAccessExpression(parent.expression) &&
  parent.expression.name.text === 'transaction';

/** What a node adds to: `n` in `n += 1`, `n++`, `n = n + 1` and `n.push(1)`. A service's `add(trx, …)` is something else. */
function addsTo(node: ts.Node): ts.Expression | undefined {
  if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node))
    return /\+\+|--/.test(node.getText()) ? node.operand : undefined;
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const adds = /^(?:push|unshift|add)$/.test(node.expression.name.text);
    return adds && node.arguments[0]?.getText() !== 'trx' ? node.expression.expression : undefined;
  }
  if (!ts.isBinaryExpression(node)) return undefined;
  const { operatorToken, left, right } = node;
  if (operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return right.getText().includes(left.getText()) ? left : undefined;
  return /^[^=!<>]+=$/.test(operatorToken.getText()) ? left : undefined;
}

/** Additions to variables outside of a transaction's function, which stay there when the database repeats it. */
function outerAdditions(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const inspect = (work: ts.Node): void => {
    const own = new Set<string>();
    const each = (node: ts.Node, see: (node: ts.Node) => void): void => {
      see(node);
      ts.forEachChild(node, (child) => each(child, see));
    };
    each(work, (node) => {
      if (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node))
        own.add(node.name.getText());
    });
    each(work, (node) => {
      const target = addsTo(node);
      const name = target?.getText().match(/^[\w$]+/)?.[0];
      if (name === undefined || own.has(name)) return;
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file}:${line + 1}: ${node.getText()}: return it, and add it after the transaction`);
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && (isTransaction(node) || node.parameters[0]?.name.getText() === 'trx'))
      inspect(node);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

async function findAll(rule: (file: string, text: string) => string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob('server/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts') || /^server\/(?:db|testing|tools)\//.test(file)) continue;
    found.push(...rule(file, await readFile(join(root, file), 'utf8')));
  }
  return found;
}

test('a writing function requires its transaction', async () => {
  assert.equal(await findAll(complaints), []);
});

test('the function of a transaction adds nothing to outer variables, since the database may repeat it', async () => {
  assert.equal(await findAll(outerAdditions), []);
});

test('the rule detects each violation', () => {
  const bad = [
    `function f(actor: A, trx: Knex.Transaction) {}`,
    `function f(trx?: Knex.Transaction) {}`,
    `function f(trx: Knex | null) {}`,
    `function f(db: Knex = other) {}`,
    `function f(trx: Knex) {}`,
    `const f = (db: Knex) => db('t').where({ id: 1 }).update({ a: 1 });`,
    `const f = (db: Knex) => Item.query(db).findById(1).patch({ a: 1 });`,
    'const f = (db: Knex) => execute(db, `UPDATE t SET a = 1`);',
    'const f = (db: Knex) => queryRows(db, `\n INSERT INTO t VALUES (1) RETURNING id`);',
  ];
  for (const text of bad) assert.is(complaints('x.ts', text).length, 1, text);
  const good = [
    `function f(dependencies: P, trx: Knex.Transaction, actor: A) { return trx('t').insert({}); }`,
    `const f = (db: Knex, id: number) => db.transaction((trx) => trx('t').insert({ id }));`,
    'const f = (db: Knex) => queryRows(db, `SELECT 1`);',
  ];
  for (const text of good) assert.equal(complaints('x.ts', text), [], text);
  for (const add of ['n += 1', 'n++', 'of.n = of.n + 1', 'all.push(1)', 'seen.add(id)']) {
    const inside = `for (const id of ids) ${add};`;
    for (const text of [`db.transaction(async () => { ${inside} })`, `save(async (trx) => { ${inside} })`])
      assert.is(outerAdditions('x.ts', text).length, 1, text);
    const own = `db.transaction(async (trx) => { let n, of, all, seen; ${inside} })`;
    assert.equal(outerAdditions('x.ts', own), [], own);
  }
  for (const other of ['index.add(trx, 1)', 'last = id', 'n <= 1', 'n === 1'])
    assert.equal(outerAdditions('x.ts', `db.transaction(async (trx) => { ${other} })`), [], other);
});

test.run();
