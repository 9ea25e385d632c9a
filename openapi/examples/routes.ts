import { groupNames, groups } from '../../lib/groups.ts';
import type { Route } from '../../shared/core/routes.ts';
import type { OperationId } from '../words/all.ts';

const routes = new Map<string, Route>(groupNames.flatMap((group) => groups[group].map((route) => [route.operation, route] as const)));

export const routeOf = (operation: OperationId): Route => {
  const route = routes.get(operation);
  if (!route) throw new Error(`No route ${operation}.`);
  return route;
};
