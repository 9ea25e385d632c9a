import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { openProgram } from './compiler.ts';

/** Whether a variable of the type is a promise or a list of promises. */
const holdsPromise = (type: ts.Type, checker: ts.TypeChecker): boolean => {
  const element = checker.isArrayLikeType(type) ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;
  return [type, element].some((one) => (one?.isUnion() ? one.types : [one]).some((part) => part?.getSymbol()?.name === 'Promise'));
};

/** Whether the function of the declaration awaits something else before it uses the variable. */
const isLeftAlone = (declaration: ts.VariableDeclaration, checker: ts.TypeChecker): boolean => {
  const symbol = checker.getSymbolAtLocation(declaration.name);
  let next: 'use' | 'await' | undefined;
  const visit = (node: ts.Node, isNested: boolean): void => {
    if (next) return;
    ts.forEachChild(node, (child) => visit(child, isNested || ts.isFunctionLike(node)));
    if (next || node.pos < declaration.end) return;
    const isShorthand = ts.isIdentifier(node) && ts.isShorthandPropertyAssignment(node.parent);
    const used = isShorthand ? checker.getShorthandAssignmentValueSymbol(node.parent) : checker.getSymbolAtLocation(node);
    if (ts.isIdentifier(node) && used === symbol) next = 'use';
    else if (ts.isAwaitExpression(node) && !isNested) next = 'await';
  };
  visit(declaration.parent.parent.parent, false);
  return next === 'await';
};

// If a promise rejects before anything waits for it, Node ends the process, on Lambda with the next request.
test('no promise stays in a variable while its function awaits another one', () => {
  const { checker, files } = openProgram(['functions', 'shared', 'local']);
  const found = files.flatMap((file) => {
    const lines: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isVariableDeclaration(node) && holdsPromise(checker.getTypeAtLocation(node.name), checker) && isLeftAlone(node, checker))
        lines.push(`${file.fileName}: ${node.name.getText()}`);
      ts.forEachChild(node, visit);
    };
    visit(file);
    return lines;
  });
  expect(found).toEqual([]);
});
