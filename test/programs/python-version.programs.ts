import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test('the receiver in Python keeps to what 3.9 understands', () => {
  const check = 'import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 9))';
  const { status, stderr } = spawnSync('python3', ['-c', check, 'examples/webhook-receiver-python/receiver.py']);
  expect([status, String(stderr)]).toEqual([0, '']);
});
