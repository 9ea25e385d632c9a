import type { Route } from '../../shared/core/routes.ts';
import { allRoutes } from './world.ts';

/** Returns what the steps of a request know of its route (`shared/http/chain.ts`). */
const shapeOf = ({ keys, method, idempotent, path }: Route): string =>
  [keys, method === 'GET', idempotent === true, path.includes('{id}')].join();

/**
 * Whether the route is the first of its shape. Only the reading of a request and the operation
 * itself differ between routes of one shape. So what does not depend on them is tested at one route
 * of each shape, and everything else at every route.
 */
export const isFirstOfShape = (route: Route): boolean => allRoutes.find((other) => shapeOf(other) === shapeOf(route)) === route;
